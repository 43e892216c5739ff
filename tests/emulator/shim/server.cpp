// main() of a program of kernels: launch what is asked for on stdin until that ends.
//
// Device memory is an arena that Python has mapped at the same address, so that pointers in
// arguments are right on both sides. All of it is poisoned but the live allocations.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "server.h"

extern "C" {
void __asan_poison_memory_region(const void* address, std::size_t size);
void __asan_unpoison_memory_region(const void* address, std::size_t size);
}

using namespace emulate;

namespace {

// A launch as Python asks for it (`EmulatedKernel.launch`). Behind it come the expression, the
// kernel's argument, and the live allocations.
struct Request {
    std::uint64_t expression_bytes, argument_bytes, blocks[3], threads, cluster, shared_bytes, seed, allocations, used;
};
struct Allocation {
    std::uint64_t address, bytes;
};

// By expression. Other files add theirs before `main` begins.
std::map<std::string, Instance>& instances() {
    static std::map<std::string, Instance> all;
    return all;
}

const char* at(std::uint64_t address) { return reinterpret_cast<const char*>(address); }

// Poison all of the arena that was ever used, but the live allocations.
class Guard {
    std::vector<Allocation> live;
    std::uint64_t end;

public:
    explicit Guard(std::uint64_t begin) : end(begin) {}
    void change(std::vector<Allocation> now, std::uint64_t used) {
        __asan_poison_memory_region(at(end), used - end);
        end = used;
        for (const Allocation& one : live) __asan_poison_memory_region(at(one.address), (one.bytes + 7) / 8 * 8);
        for (const Allocation& one : now) __asan_unpoison_memory_region(at(one.address), one.bytes);
        live = std::move(now);
    }
};

bool read_all(void* to, std::size_t bytes) { return bytes == 0 || std::fread(to, 1, bytes, stdin) == bytes; }

// Nothing if the launch ran; else why it cannot.
std::string serve(const Request& request, const std::string& expression, const std::string& argument) {
    const auto found = instances().find(expression);
    if (found == instances().end()) return "this program has no " + expression;
    if (found->second.argument_bytes != argument.size())
        return expression + " takes a struct of " + std::to_string(found->second.argument_bytes) + " bytes, but was given " +
            std::to_string(argument.size());
    std::vector<std::max_align_t> copy(argument.size() / sizeof(std::max_align_t) + 1);
    std::memcpy(copy.data(), argument.data(), argument.size());
    const Call call{found->second.kernel, reinterpret_cast<const char*>(copy.data())};
    const auto& [x, y, z] = request.blocks;
    const dim3 grid{static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)};
    run({grid, static_cast<unsigned>(request.threads), static_cast<unsigned>(request.cluster), request.shared_bytes,
         request.seed},
        found->second.thread, &call);
    return "";
}

}  // namespace

bool emulate::add_instance(const char* expression, Instance instance) {
    return instances().emplace(expression, instance).second;
}

// Words: the arena's file, where to map it, and how much.
int main(int count, char** words) {
    if (count != 4) fail("called with %d words", count);
    const std::uint64_t address = std::stoull(words[2]), bytes = std::stoull(words[3]);
    void* const arena = mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, std::stoi(words[1]), 0);
    if (arena != reinterpret_cast<void*>(address)) fail("the arena cannot be mapped at %s", words[2]);
    std::FILE* const replies = fdopen(dup(STDOUT_FILENO), "wb");
    dup2(STDERR_FILENO, STDOUT_FILENO);  // a kernel's printf must not land among the replies
    Guard guard(address);
    Request request;
    while (read_all(&request, sizeof request)) {
        std::string expression(request.expression_bytes, 0), argument(request.argument_bytes, 0);
        std::vector<Allocation> live(request.allocations);
        if (!read_all(expression.data(), expression.size()) || !read_all(argument.data(), argument.size()) ||
            !read_all(live.data(), live.size() * sizeof(Allocation)))
            fail("a request is cut off");
        guard.change(std::move(live), request.used);
        const std::string error = serve(request, expression, argument);
        const std::uint64_t size = error.size();
        std::fwrite(&size, sizeof size, 1, replies);
        std::fwrite(error.data(), 1, size, replies);
        std::fflush(replies);
    }
    return 0;
}
