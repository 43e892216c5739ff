// One launch of a kernel of benchmarks/plain.cu or plain_children.cu, with whatever arguments it takes: a0, a1, …
#include <tuple>

#include "plain_children.cu"

namespace {

template <class T>
struct Argument {
    T value;
    Argument(const emulate::Input& in, const std::string& name) : value(in.array<T>(name).at(0)) {}
    T get() { return value; }
    void put(emulate::Output&, const std::string&) {}
};

template <class T>
struct Argument<T*> {
    std::vector<std::remove_const_t<T>> values;
    Argument(const emulate::Input& in, const std::string& name)
        : values(in.array<std::remove_const_t<T>>(name)) {}
    T* get() { return values.data(); }
    void put(emulate::Output& out, const std::string& name) {
        if constexpr (!std::is_const_v<T>) out.array(name, values);
    }
};

template <class... P, std::size_t... i>
void launch(const emulate::Input& in, emulate::Output& out, void (*kernel)(P...), std::index_sequence<i...>) {
    std::tuple<Argument<P>...> arguments{Argument<P>(in, "a" + std::to_string(i))...};
    emulate::launch(in.count("blocks"), block, 1, 0, in.seed(), kernel, std::get<i>(arguments).get()...);
    (std::get<i>(arguments).put(out, "a" + std::to_string(i)), ...);
}

template <class... P>
void launch(const emulate::Input& in, emulate::Output& out, void (*kernel)(P...)) {
    launch(in, out, kernel, std::index_sequence_for<P...>());
}

}  // namespace

#define KERNEL(name) \
    EMULATOR_TEST(name) { launch(in, out, name); }
KERNEL(degrees)
KERNEL(thread_mapped)
KERNEL(virtual_warp)
KERNEL(defer_outliers)
KERNEL(outliers)
KERNEL(dynamic_distribution)
KERNEL(cta_warp_scan)
KERNEL(direct_search)
KERNEL(local_warp_search)
KERNEL(block_search)
KERNEL(partition)
KERNEL(two_phase_search)
KERNEL(coalesced_expansion)
KERNEL(redistribution)
KERNEL(gathering)
KERNEL(virtual_warp_with_children)
KERNEL(workload_decomposition)
KERNEL(edge_parallel)
KERNEL(node_splitting)
KERNEL(hierarchical)
