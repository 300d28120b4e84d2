// Of Thrust the algorithms that programs use most, on device memory (Thrust, "Algorithms"): one thread does what the
// device's do, on the policy's stream, and the host waits for it, with par_nosync only for what comes to the host. Device
// vectors and pointers, counting and transforming iterators are there; what a sum or a count gives comes to the host, and
// counts as copied to it.
#pragma once

#include <vector>

#include "libcudacxx.h"

#pragma GCC push_options
WEFT_CPU_OPTIMIZE

namespace thrust {
inline namespace weft_cpu {

using ::cuda::maximum;
using ::cuda::minimum;
using std::divides;
using std::equal_to;
using std::greater;
using std::less;
using std::logical_and;
using std::logical_or;
using std::minus;
using std::multiplies;
using std::negate;
using std::plus;
template <typename T = void>
struct identity {
    T operator()(const T& value) const { return value; }
};
template <typename T>
struct square {
    T operator()(const T& value) const { return value * value; }
};

// Where an algorithm runs: `thrust::device`, `thrust::cuda::par.on(stream)`.
struct Policy {
    cudaStream_t stream;
    bool waits = true;

    Policy on(cudaStream_t other) const { return {other, waits}; }
    template <typename Allocator>
    const Policy& operator()(const Allocator&) const {
        return *this;
    }
};
constexpr Policy device{nullptr};

template <typename T>
class device_ptr;

// An element of device memory, as the host reads and writes it.
template <typename T>
class device_reference {
    T* address_;

public:
    explicit device_reference(T* address) : address_(address) {}
    operator std::remove_const_t<T>() const {
        std::remove_const_t<T> value;
        cudaMemcpy(&value, address_, sizeof value, cudaMemcpyDeviceToHost);
        return value;
    }
    const device_reference& operator=(const T& value) const {
        cudaMemcpy(address_, &value, sizeof value, cudaMemcpyHostToDevice);
        return *this;
    }
};

template <typename T>
class device_ptr {
    T* address_ = nullptr;

public:
    using value_type = std::remove_const_t<T>;
    device_ptr() = default;
    explicit device_ptr(T* address) : address_(address) {}
    template <typename Other>
    device_ptr(const device_ptr<Other>& other) : address_(other.get()) {}

    T* get() const { return address_; }
    device_reference<T> operator*() const { return device_reference<T>(address_); }
    device_reference<T> operator[](ptrdiff_t i) const { return device_reference<T>(address_ + i); }
    device_ptr operator+(ptrdiff_t n) const { return device_ptr(address_ + n); }
    device_ptr operator-(ptrdiff_t n) const { return device_ptr(address_ - n); }
    ptrdiff_t operator-(const device_ptr& other) const { return address_ - other.address_; }
    device_ptr& operator++() {
        ++address_;
        return *this;
    }
    bool operator==(const device_ptr& other) const { return address_ == other.address_; }
    bool operator!=(const device_ptr& other) const { return address_ != other.address_; }
};

template <typename T>
device_ptr<T> device_pointer_cast(T* address) {
    return device_ptr<T>(address);
}
template <typename T>
T* raw_pointer_cast(const device_ptr<T>& pointer) {
    return pointer.get();
}
template <typename T>
T* raw_pointer_cast(T* address) {
    return address;
}

template <typename T>
class counting_iterator {
    T first_;

public:
    using value_type = T;
    explicit counting_iterator(T first = T()) : first_(first) {}
    T operator[](ptrdiff_t i) const { return static_cast<T>(first_ + i); }
    counting_iterator operator+(ptrdiff_t n) const { return counting_iterator(static_cast<T>(first_ + n)); }
    ptrdiff_t operator-(const counting_iterator& other) const { return static_cast<ptrdiff_t>(first_ - other.first_); }
};
template <typename T>
counting_iterator<T> make_counting_iterator(T first) {
    return counting_iterator<T>(first);
}

// What the device indexes in place of an iterator.
template <typename Iterator>
Iterator on_device(Iterator iterator) {
    return iterator;
}
template <typename T>
T* on_device(const device_ptr<T>& pointer) {
    return pointer.get();
}

template <typename Call, typename Iterator>
class transform_iterator {
    Iterator iterator_;
    Call call_;

public:
    using value_type = std::decay_t<decltype(std::declval<Call>()(std::declval<decltype(on_device(std::declval<Iterator>()))>()[0]))>;
    transform_iterator(Iterator iterator, Call call) : iterator_(iterator), call_(call) {}
    value_type operator[](ptrdiff_t i) const { return call_(on_device(iterator_)[i]); }
    transform_iterator operator+(ptrdiff_t n) const { return {iterator_ + n, call_}; }
    ptrdiff_t operator-(const transform_iterator& other) const { return iterator_ - other.iterator_; }
};
template <typename Call, typename Iterator>
transform_iterator<Call, Iterator> make_transform_iterator(Iterator iterator, Call call) {
    return {iterator, call};
}

template <typename Iterator>
using element_of = std::decay_t<decltype(on_device(std::declval<Iterator>())[0])>;

// What can only mean device memory, where no policy says so.
template <typename T>
constexpr bool is_of_device = false;
template <typename T>
constexpr bool is_of_device<device_ptr<T>> = true;
template <typename T>
constexpr bool is_of_device<counting_iterator<T>> = true;
template <typename Call, typename Iterator>
constexpr bool is_of_device<transform_iterator<Call, Iterator>> = true;

template <typename Call>
void once(Call call) {
    call();
}
template <typename Call>
void run_once(const Policy& policy, Call call) {
    ::weft_cpu::launch(once<Call>, 1, 1, 0, policy.stream)(call);
    if (policy.waits) cudaStreamSynchronize(policy.stream);
}

// What `call` returns on the device.
template <typename Call>
auto result_of_device(const Policy& policy, Call call) {
    using T = decltype(call());
    T result, *place = nullptr;
    cudaMalloc(&place, sizeof result);
    run_once({policy.stream}, [=] { *place = call(); });
    cudaMemcpy(&result, place, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(place);
    return result;
}

namespace algorithms {

template <typename In, typename T, typename Combine = plus<T>>
T reduce(const Policy& policy, In first, In last, T initial, Combine combine = {}) {
    const auto in = on_device(first);
    const ptrdiff_t count = last - first;
    return result_of_device(policy, [=] {
        T all = initial;
        for (ptrdiff_t i = 0; i < count; ++i) all = combine(all, in[i]);
        return all;
    });
}
template <typename In>
element_of<In> reduce(const Policy& policy, In first, In last) {
    return algorithms::reduce(policy, first, last, element_of<In>());
}
template <typename In, typename Call, typename T, typename Combine>
T transform_reduce(const Policy& policy, In first, In last, Call call, T initial, Combine combine) {
    const transform_iterator<Call, In> begin(first, call);
    return algorithms::reduce(policy, begin, begin + (last - first), initial, combine);
}
template <typename In, typename Other, typename T>
T inner_product(const Policy& policy, In first, In last, Other second, T initial) {
    const auto a = on_device(first);
    const auto b = on_device(second);
    const ptrdiff_t count = last - first;
    return result_of_device(policy, [=] {
        T all = initial;
        for (ptrdiff_t i = 0; i < count; ++i) all = all + a[i] * b[i];
        return all;
    });
}
template <typename In, typename Select>
ptrdiff_t count_if(const Policy& policy, In first, In last, Select select) {
    const auto in = on_device(first);
    const ptrdiff_t count = last - first;
    return result_of_device(policy, [=] {
        ptrdiff_t found = 0;
        for (ptrdiff_t i = 0; i < count; ++i) found += select(in[i]) ? 1 : 0;
        return found;
    });
}
template <typename In, typename T>
ptrdiff_t count(const Policy& policy, In first, In last, T value) {
    return algorithms::count_if(policy, first, last, [=](const element_of<In>& one) { return one == value; });
}
template <typename In, typename Less = less<element_of<In>>>
In max_element(const Policy& policy, In first, In last, Less less = {}) {
    const auto in = on_device(first);
    const ptrdiff_t count = last - first;
    return first + result_of_device(policy, [=] {
        ptrdiff_t best = 0;
        for (ptrdiff_t i = 1; i < count; ++i) best = less(in[best], in[i]) ? i : best;
        return best;
    });
}
template <typename In, typename Less = less<element_of<In>>>
In min_element(const Policy& policy, In first, In last, Less less = {}) {
    const auto in = on_device(first);
    const ptrdiff_t count = last - first;
    return first + result_of_device(policy, [=] {
        ptrdiff_t best = 0;
        for (ptrdiff_t i = 1; i < count; ++i) best = less(in[i], in[best]) ? i : best;
        return best;
    });
}
template <typename In, typename Call>
In for_each(const Policy& policy, In first, In last, Call call) {
    auto in = on_device(first);
    const ptrdiff_t count = last - first;
    run_once(policy, [=]() mutable {
        for (ptrdiff_t i = 0; i < count; ++i) call(in[i]);
    });
    return last;
}
template <typename In, typename Call>
In for_each_n(const Policy& policy, In first, ptrdiff_t count, Call call) {
    return algorithms::for_each(policy, first, first + count, call);
}
template <typename In, typename Out, typename Call>
Out transform(const Policy& policy, In first, In last, Out result, Call call) {
    const auto in = on_device(first);
    const auto out = on_device(result);
    const ptrdiff_t count = last - first;
    run_once(policy, [=] {
        for (ptrdiff_t i = 0; i < count; ++i) out[i] = call(in[i]);
    });
    return result + count;
}
template <typename In, typename Other, typename Out, typename Call>
Out transform(const Policy& policy, In first, In last, Other second, Out result, Call call) {
    const auto a = on_device(first);
    const auto b = on_device(second);
    const auto out = on_device(result);
    const ptrdiff_t count = last - first;
    run_once(policy, [=] {
        for (ptrdiff_t i = 0; i < count; ++i) out[i] = call(a[i], b[i]);
    });
    return result + count;
}
template <typename Out, typename T>
void fill(const Policy& policy, Out first, Out last, T value) {
    const auto out = on_device(first);
    const ptrdiff_t count = last - first;
    run_once(policy, [=] {
        for (ptrdiff_t i = 0; i < count; ++i) out[i] = value;
    });
}
template <typename Out, typename T>
void sequence(const Policy& policy, Out first, Out last, T start) {
    const auto out = on_device(first);
    const ptrdiff_t count = last - first;
    run_once(policy, [=] {
        for (ptrdiff_t i = 0; i < count; ++i) out[i] = static_cast<element_of<Out>>(start + i);
    });
}
template <typename Out>
void sequence(const Policy& policy, Out first, Out last) {
    algorithms::sequence(policy, first, last, element_of<Out>());
}
template <typename In, typename Out>
Out copy(const Policy& policy, In first, In last, Out result) {
    return algorithms::transform(policy, first, last, result, [](const element_of<In>& one) { return one; });
}
template <typename In, typename Flags, typename Out, typename Select>
Out copy_if(const Policy& policy, In first, In last, Flags flags, Out result, Select select) {
    const auto in = on_device(first);
    const auto asked = on_device(flags);
    const auto out = on_device(result);
    const ptrdiff_t count = last - first;
    return result + result_of_device(policy, [=] {
        ptrdiff_t kept = 0;
        for (ptrdiff_t i = 0; i < count; ++i) {
            if (select(asked[i])) out[kept++] = in[i];
        }
        return kept;
    });
}
template <typename In, typename Out, typename Select>
Out copy_if(const Policy& policy, In first, In last, Out result, Select select) {
    return algorithms::copy_if(policy, first, last, first, result, select);
}
template <typename In, typename Out, typename Combine = plus<element_of<In>>>
Out inclusive_scan(const Policy& policy, In first, In last, Out result, Combine combine = {}) {
    const auto in = on_device(first);
    const auto out = on_device(result);
    const ptrdiff_t count = last - first;
    run_once(policy, [=] {
        for (ptrdiff_t i = 0; i < count; ++i) out[i] = i == 0 ? in[0] : combine(out[i - 1], in[i]);
    });
    return result + count;
}
template <typename In, typename Out, typename T, typename Combine = plus<T>>
Out exclusive_scan(const Policy& policy, In first, In last, Out result, T initial, Combine combine = {}) {
    const auto in = on_device(first);
    const auto out = on_device(result);
    const ptrdiff_t count = last - first;
    run_once(policy, [=] {
        T running = initial;
        for (ptrdiff_t i = 0; i < count; ++i) {
            const T item = in[i];
            out[i] = running;
            running = combine(running, item);
        }
    });
    return result + count;
}
template <typename In, typename Out>
Out exclusive_scan(const Policy& policy, In first, In last, Out result) {
    return algorithms::exclusive_scan(policy, first, last, result, element_of<In>());
}

// By heaps, as nothing says in which order equal elements come.
template <typename In, typename Less = less<element_of<In>>>
void sort(const Policy& policy, In first, In last, Less less = {}) {
    const auto in = on_device(first);
    const ptrdiff_t count = last - first;
    run_once(policy, [=] {
        const auto sink = [=](ptrdiff_t at, ptrdiff_t end) {
            for (ptrdiff_t child; (child = 2 * at + 1) < end; at = child) {
                if (child + 1 < end && less(in[child], in[child + 1])) ++child;
                if (!less(in[at], in[child])) return;
                const auto kept = in[at];
                in[at] = in[child];
                in[child] = kept;
            }
        };
        for (ptrdiff_t at = count / 2; at-- > 0;) sink(at, count);
        for (ptrdiff_t end = count; end-- > 1;) {
            const auto largest = in[0];
            in[0] = in[end];
            in[end] = largest;
            sink(0, end);
        }
    });
}

}  // namespace algorithms

// With a policy, and without where an iterator can only be the device's.
#define WEFT_CPU_ALGORITHM(name)                                                                   \
    template <typename... Arguments>                                                               \
    auto name(const Policy& policy, Arguments... arguments) {                                      \
        return algorithms::name(policy, arguments...);                                             \
    }                                                                                              \
    template <typename First, typename... Arguments, std::enable_if_t<is_of_device<First>, int> = 0> \
    auto name(First first, Arguments... arguments) {                                               \
        return algorithms::name(device, first, arguments...);                                      \
    }
WEFT_CPU_ALGORITHM(reduce)
WEFT_CPU_ALGORITHM(transform_reduce)
WEFT_CPU_ALGORITHM(inner_product)
WEFT_CPU_ALGORITHM(count)
WEFT_CPU_ALGORITHM(count_if)
WEFT_CPU_ALGORITHM(max_element)
WEFT_CPU_ALGORITHM(min_element)
WEFT_CPU_ALGORITHM(for_each)
WEFT_CPU_ALGORITHM(for_each_n)
WEFT_CPU_ALGORITHM(transform)
WEFT_CPU_ALGORITHM(fill)
WEFT_CPU_ALGORITHM(sequence)
WEFT_CPU_ALGORITHM(copy)
WEFT_CPU_ALGORITHM(copy_if)
WEFT_CPU_ALGORITHM(inclusive_scan)
WEFT_CPU_ALGORITHM(exclusive_scan)
WEFT_CPU_ALGORITHM(sort)
#undef WEFT_CPU_ALGORITHM

template <typename T>
class device_vector {
    T* start_ = nullptr;
    size_t count_ = 0;

public:
    using value_type = T;
    using iterator = device_ptr<T>;
    device_vector() = default;
    explicit device_vector(size_t count, const T& value = T()) : count_(count) {
        if (count == 0) return;
        cudaMalloc(&start_, count * sizeof(T));
        thrust::fill(begin(), end(), value);
    }
    template <typename In>
    device_vector(In first, In last) : count_(static_cast<size_t>(last - first)) {
        if (count_ == 0) return;
        cudaMalloc(&start_, count_ * sizeof(T));
        if constexpr (is_of_device<In>) {
            thrust::copy(first, last, begin());
        } else {
            const std::vector<T> values(first, last);
            cudaMemcpy(start_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
        }
    }
    device_vector(const std::vector<T>& values) : device_vector(values.begin(), values.end()) {}
    device_vector(const device_vector& other) : device_vector(other.begin(), other.end()) {}
    device_vector(device_vector&& other) noexcept
        : start_(std::exchange(other.start_, nullptr)), count_(std::exchange(other.count_, 0)) {}
    device_vector& operator=(device_vector other) noexcept {
        std::swap(start_, other.start_);
        std::swap(count_, other.count_);
        return *this;
    }
    ~device_vector() { cudaFree(start_); }

    size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    device_ptr<T> data() const { return device_ptr<T>(start_); }
    device_ptr<T> begin() const { return data(); }
    device_ptr<T> end() const { return data() + static_cast<ptrdiff_t>(count_); }
    device_reference<T> operator[](size_t i) const { return device_reference<T>(start_ + i); }
    device_reference<T> front() const { return (*this)[0]; }
    device_reference<T> back() const { return (*this)[count_ - 1]; }
};

}  // namespace weft_cpu

namespace cuda {
constexpr Policy par{nullptr};
constexpr Policy par_nosync{nullptr, false};
}  // namespace cuda

}  // namespace thrust

#pragma GCC pop_options
