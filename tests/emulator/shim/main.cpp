// main() of every test program: run the case that the command line names.

#include <unistd.h>

#include "arrays.h"

using namespace emulate;

namespace {

// By name. Other files add theirs before `main` begins.
std::map<std::string, Test>& tests() {
    static std::map<std::string, Test> all;
    return all;
}

}  // namespace

bool emulate::add_test(const char* name, Test test) { return tests().emplace(name, test).second; }

int main(int count, char** words) {
    const auto test = tests().find(count > 1 ? words[1] : "");
    if (test == tests().end()) fail("no such test: %s", count > 1 ? words[1] : "(none)");
    std::FILE* results = fdopen(dup(STDOUT_FILENO), "wb");
    dup2(STDERR_FILENO, STDOUT_FILENO);  // a kernel's printf must not land among the results
    const Input in(stdin);
    Output out(results);
    test->second(in, out);
    return std::fclose(results) == 0 ? 0 : 1;
}
