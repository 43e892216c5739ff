// Operators that are written in Python (warpath/language/cpp.py), as operators of operators/operator.cuh.
//
// `Body` holds the operator's arguments and is called with an edge. `Body::staged`: it offers v a value of u and w,
// and lowers `target()[v]` to it; then it has `from` and `offer`, and the steps of several edges overlap. Any other
// body runs in one step, edge by edge.
//
// `past_l1`: where frontiers stay in blocks, whose barriers drop nothing of L1 (engine/small_frontier.cuh), what the
// operator also writes is read from L2. What it wrote must be there before the barrier: an atomic operation whose
// result is used has been done; for other writes (`Body::writes_late`) there is a fence.
#pragma once

#include "core/memory.cuh"
#include "operators/arithmetic.cuh"
#include "operators/operator.cuh"

namespace warpath {

// The weight of an edge; 1 where there are none.
template <class Body, class Offset>
__device__ __forceinline__ typename Body::Weight weight_if(const typename Body::Weight* weights, Offset edge, bool pred) {
    if constexpr (Body::loads_weight) return read_only_if(weights + edge, pred);
    else return 1;
}

template <class Body, bool past_l1 = false>
struct Follow {
    static constexpr bool needs_owner = true;
    struct Offer {
        Vertex from;
        typename Body::Weight weight;
    };
    using From = Vertex;
    using Status = Nothing;
    using Result = bool;

    const Body& body;
    const typename Body::Weight* weights;

    __device__ From from(Vertex u, bool) const { return u; }
    template <class Offset>
    __device__ Offer offer(From from, Offset edge, bool pred) const { return {from, weight_if<Body>(weights, edge, pred)}; }
    __device__ Status status(Vertex, const Offer&, bool) const { return {}; }
    __device__ bool cond(Vertex, const Offer&, Status, bool pred) const { return pred; }
    __device__ Result update_atomic(Vertex v, const Offer& offer, bool pred) const {
        if (!pred) return false;
        const int u = static_cast<int>(offer.from);
        bool result;
        if constexpr (Body::takes_weight) result = body.template operator()<past_l1>(u, static_cast<int>(v), offer.weight);
        else result = body.template operator()<past_l1>(u, static_cast<int>(v));
        if constexpr (past_l1 && Body::writes_late) __threadfence();
        return result;
    }
    __device__ bool updated(Vertex, const Offer&, Result result) const { return result; }
    __device__ void commit(Vertex, Vertex, const Offer&) const {}
};

template <class Body, bool past_l1 = false>
struct FollowStaged {
    static constexpr bool needs_owner = true;
    using From = typename Body::From;
    using Offer = typename Body::Offer;
    using Status = Offer;
    using Result = Offer;

    const Body& body;
    const typename Body::Weight* weights;

    __device__ From from(Vertex u, bool pred) const { return body.template from<past_l1>(u, pred); }
    template <class Offset>
    __device__ Offer offer(const From& from, Offset edge, bool pred) const {
        if constexpr (Body::takes_weight) return body.offer(from, weight_if<Body>(weights, edge, pred));
        else return body.offer(from);
    }
    __device__ Status status(Vertex v, Offer, bool pred) const { return load_once_if(body.target() + v, pred); }
    __device__ bool cond(Vertex, Offer offer, Status known, bool pred) const { return pred && offer < known; }
    __device__ Result update_atomic(Vertex v, Offer offer, bool pred) const { return fetch_min_if(body.target() + v, offer, pred); }
    __device__ bool updated(Vertex, Offer offer, Result before) const { return before > offer; }
    __device__ void commit(Vertex, Vertex, Offer) const {}
};

template <class Body, bool past_l1 = false, bool staged = Body::staged>
struct FollowOf { using type = Follow<Body, past_l1>; };
template <class Body, bool past_l1>
struct FollowOf<Body, past_l1, true> { using type = FollowStaged<Body, past_l1>; };

// A vertex of the first frontier, which no edge brings.
struct Enter {
    static constexpr bool needs_owner = false;
    using Offer = Nothing;
    using Result = bool;

    __device__ Result update_atomic(Vertex, Nothing, bool pred) const { return pred; }
    __device__ bool updated(Vertex, Nothing, Result result) const { return result; }
    __device__ void commit(Vertex, Vertex, Nothing) const {}
};

// Bottom-up: an edge's owner is v, its end u. See algorithms/edge_operator.cuh.
template <class Body>
struct FollowBack : Follow<Body> {
    using Base = Follow<Body>;
    using Offer = typename Base::Offer;
    using Status = unsigned;

    unsigned* stamp;
    Vertex vertices;
    const unsigned& iteration;  // the number of the next frontier

    __device__ unsigned* stamps(unsigned number) const { return stamp + (number % 2 == 0 ? 0 : vertices); }
    __device__ Status status(Vertex u, const Offer&, bool pred) const { return load_if(stamps(iteration - 1) + u, pred); }
    __device__ bool cond(Vertex, const Offer&, Status known, bool pred) const { return pred && known == iteration - 1; }
    __device__ bool update_atomic(Vertex u, const Offer& offer, bool pred) const {
        return Base::update_atomic(offer.from, {u, offer.weight}, pred);
    }
    __device__ void commit(Vertex v, Vertex, const Offer&) const { store_relaxed(stamps(iteration) + v, iteration); }
};

// A vertex of the first frontier there: `stamp` are those of odd frontiers.
struct EnterStamped : Enter {
    unsigned* stamp;

    __device__ void commit(Vertex, Vertex v, Nothing) const { stamp[v] = 1; }
};

}  // namespace warpath
