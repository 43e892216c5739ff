// main() of every test program: run the case that the command line names.

#include <unistd.h>

#include "arrays.h"

int main(int count, char** words) {
    const auto test = emulate::tests.find(count > 1 ? words[1] : "");
    if (test == emulate::tests.end()) emulate::fail("no such test: %s", count > 1 ? words[1] : "(none)");
    std::FILE* results = fdopen(dup(STDOUT_FILENO), "wb");
    dup2(STDERR_FILENO, STDOUT_FILENO);  // a kernel's printf must not land among the results
    const emulate::Input in(stdin);
    emulate::Output out(results);
    test->second(in, out);
    return std::fclose(results) == 0 ? 0 : 1;
}
