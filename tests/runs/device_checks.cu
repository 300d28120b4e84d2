// Checks of the CPU device's CUDA, each printed as `NAME ok` or `NAME WRONG`.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

void check(const char* name, bool ok) { std::printf("%s %s\n", name, ok ? "ok" : "WRONG"); }

template <typename T>
struct OnDevice {
    std::vector<T> host;
    T* device = nullptr;
    explicit OnDevice(size_t count, T value = T()) : host(count, value) {
        cudaMalloc(&device, count * sizeof(T));
        cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~OnDevice() { cudaFree(device); }
    const std::vector<T>& download() {
        cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return host;
    }
};

__global__ void number_threads(int* out) {
    const dim3 grid = gridDim, block = blockDim;
    const int b = blockIdx.x + grid.x * (blockIdx.y + grid.y * blockIdx.z);
    const int t = threadIdx.x + block.x * (threadIdx.y + block.y * threadIdx.z);
    out[b * block.x * block.y * block.z + t] = b * 1000 + t;
}

void thread_indices() {
    OnDevice<int> out(2 * 3 * 2 * 4 * 2 * 3, -1);
    number_threads<<<dim3(2, 3, 2), dim3(4, 2, 3)>>>(out.device);
    bool ok = true;
    for (int b = 0; b < 12; ++b) {
        for (int t = 0; t < 24; ++t) ok = ok && out.download()[b * 24 + t] == b * 1000 + t;
    }
    check("thread_indices", ok);
}

__global__ void use_atomics(int* i, unsigned int* u, unsigned long long* ull, float* f, double* d,
                            __half* h) {
    const int t = threadIdx.x;
    atomicAdd(&i[0], t);
    atomicSub(&i[1], t);
    atomicMin(&i[2], -t);
    atomicMax(&i[3], t);
    atomicAnd(&i[4], ~(1 << t));
    atomicOr(&i[5], 1 << t);
    atomicXor(&i[6], 1 << t);
    atomicExch(&i[7], 5);
    atomicCAS(&i[8], t, t + 1);
    atomicInc(&u[0], 6u);
    atomicDec(&u[1], 6u);
    atomicAdd(&u[2], 3u);
    atomicAdd(&ull[0], 1ull << 40);
    atomicMax(&ull[1], static_cast<unsigned long long>(t) << 40);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
    atomicAdd(h, __half(1.0f));
}

void atomics() {
    OnDevice<int> i(9);
    i.host = {0, 0, 0, 0, -1, 0, 0, 0, 0};
    cudaMemcpy(i.device, i.host.data(), 36, cudaMemcpyHostToDevice);
    OnDevice<unsigned int> u(3);
    OnDevice<unsigned long long> ull(2);
    OnDevice<float> f(1);
    OnDevice<double> d(1);
    OnDevice<__half> h(1, __half(0.0f));
    use_atomics<<<1, 16>>>(i.device, u.device, ull.device, f.device, d.device, h.device);
    i.download();
    check("atomic_add_sub_int", i.host[0] == 120 && i.host[1] == -120);
    check("atomic_min_max_int", i.host[2] == -15 && i.host[3] == 15);
    check("atomic_bits", i.host[4] == ~0xffff && i.host[5] == 0xffff && i.host[6] == 0xffff);
    check("atomic_exch_cas", i.host[7] == 5 && i.host[8] >= 1 && i.host[8] <= 16);
    // 16 increments wrap after 6 (7 values), 16 decrements from 0 likewise.
    check("atomic_inc_dec", u.download()[0] == 16 % 7 && u.host[1] == (7 - 16 % 7) % 7 && u.host[2] == 48);
    check("atomic_64_bit", ull.download()[0] == 16ull << 40 && ull.host[1] == 15ull << 40);
    check("atomic_add_floats",
          f.download()[0] == 8.0f && d.download()[0] == 4.0 && float(h.download()[0]) == 16.0f);
}

__global__ void sum_block(const float* in, float* out, int n) {
    __shared__ float tile[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (int(threadIdx.x) < half) tile[threadIdx.x] += tile[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}

template <typename T, int N>
__global__ void reverse_block(T* data) {
    __shared__ T tile[N];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[N - 1 - threadIdx.x];
}

__global__ void reverse_dynamic(int* data) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void leave_early(int* out) {
    if (threadIdx.x >= 3) return;
    __syncthreads();
    out[threadIdx.x] = __syncthreads_count(threadIdx.x != 1);
    out[3 + threadIdx.x] = __syncthreads_or(threadIdx.x == 1);
    out[6 + threadIdx.x] = __syncthreads_and(threadIdx.x == 1);
}

__global__ void keep_shared(unsigned int* out) {
    __shared__ unsigned int left;
    if (threadIdx.x == 0) out[blockIdx.x] = left;
    __syncthreads();
    left = 42;
}

void barriers() {
    OnDevice<float> in(1000, 1.0f), sums(4);
    sum_block<<<4, 256>>>(in.device, sums.device, 1000);
    check("reduction_in_shared_memory", sums.download() == std::vector<float>({256, 256, 256, 232}));
    OnDevice<int> data(64);
    for (int i = 0; i < 64; ++i) data.host[i] = i;
    cudaMemcpy(data.device, data.host.data(), 256, cudaMemcpyHostToDevice);
    reverse_block<int, 64><<<1, 64>>>(data.device);
    check("shared_memory_in_a_template", data.download()[0] == 63 && data.host[63] == 0);
    reverse_dynamic<<<1, 64, 64 * sizeof(int)>>>(data.device);
    check("dynamic_shared_memory", data.download()[0] == 0 && data.host[63] == 63);
    OnDevice<int> out(9);
    leave_early<<<1, 40>>>(out.device);
    check("barriers_count_the_threads_that_live",
          out.download() == std::vector<int>({2, 2, 2, 1, 1, 1, 0, 0, 0}));
    OnDevice<unsigned int> left(3);
    keep_shared<<<3, 32>>>(left.device);
    keep_shared<<<3, 32>>>(left.device);
    check("shared_memory_is_fresh_in_each_block",
          left.download()[0] != 42 && left.host[1] != 42 && left.host[2] != 42);
}

__global__ void use_warps(int* out) {
    const unsigned int all = 0xffffffffu;
    const int t = threadIdx.x, lane = t % 32;
    int sum = t;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(all, sum, offset);
    if (lane == 0) out[t / 32] = sum;
    bool ok = __shfl_sync(all, t, 5) == t / 32 * 32 + 5;
    ok = ok && __shfl_sync(all, t, 9, 8) == t / 8 * 8 + 1;
    ok = ok && __shfl_up_sync(all, t, 1) == (lane == 0 ? t : t - 1);
    ok = ok && __shfl_up_sync(all, t, 1, 4) == (lane % 4 == 0 ? t : t - 1);
    ok = ok && __shfl_xor_sync(all, t, 3) == (t ^ 3);
    ok = ok && __shfl_xor_sync(all, 0.5 + t, 1) == 0.5 + (t ^ 1);
    ok = ok && __ballot_sync(all, lane % 2) == 0xaaaaaaaau;
    ok = ok && __any_sync(all, lane == 7) && !__all_sync(all, lane == 7) && __all_sync(all, 1);
    ok = ok && __match_any_sync(all, lane / 16) == (lane < 16 ? 0xffffu : 0xffff0000u);
    ok = ok && __reduce_add_sync(all, lane) == 496 && __reduce_max_sync(all, -lane) == 0;
    if (lane < 8) ok = ok && __shfl_sync(0xffu, lane, 7) == 7;
    __syncwarp();
    out[2 + t] = ok;
}

__global__ void half_a_warp(int* out) {
    // Lanes 16 to 31 do not exist: a full mask names them all the same.
    out[threadIdx.x] = __ballot_sync(0xffffffffu, 1) == 0xffffu;
}

void warps() {
    OnDevice<int> out(66);
    use_warps<<<1, 64>>>(out.device);
    out.download();
    bool ok = true;
    for (int i = 0; i < 64; ++i) ok = ok && out.host[2 + i];
    check("shuffle_reduction", out.host[0] == 31 * 16 && out.host[1] == 31 * 16 + 32 * 32);
    check("warp_functions", ok);
    OnDevice<int> half(16);
    half_a_warp<<<1, 16>>>(half.device);
    check("warp_of_sixteen", half.download() == std::vector<int>(16, 1));
}

__constant__ float table[4];
__device__ int counter;

__global__ void use_symbols(float* out) {
    out[threadIdx.x] = table[threadIdx.x];
    atomicAdd(&counter, 1);
}

void symbols() {
    const float values[4] = {1, 2, 3, 4};
    bool ok = cudaMemcpyToSymbol(table, values, sizeof(values)) == cudaSuccess;
    ok = ok && cudaMemcpyToSymbol(table, values, 20) == cudaErrorInvalidValue;
    OnDevice<float> out(4);
    use_symbols<<<1, 4>>>(out.device);
    int counted = 0;
    ok = ok && cudaMemcpyFromSymbol(&counted, counter, sizeof(int)) == cudaSuccess;
    check("symbols", ok && counted == 4 && out.download() == std::vector<float>({1, 2, 3, 4}));
    cudaGetLastError();
}

__global__ void nothing() {}

cudaError_t launched(dim3 grid, dim3 block, size_t shared_bytes = 0) {
    nothing<<<grid, block, shared_bytes>>>();
    return cudaGetLastError();
}

void launch_errors() {
    check("launch_of_nothing", launched(0, 256) == cudaErrorInvalidConfiguration);
    check("block_of_nothing", launched(1, 0) == cudaErrorInvalidConfiguration);
    check("block_of_1025", launched(1, 1025) == cudaErrorInvalidConfiguration);
    check("block_of_32_33", launched(1, dim3(32, 33)) == cudaErrorInvalidConfiguration);
    check("block_depth_65", launched(1, dim3(1, 1, 65)) == cudaErrorInvalidConfiguration);
    check("grid_height_65536", launched(dim3(1, 65536), 1) == cudaErrorInvalidConfiguration);
    check("too_much_shared_memory", launched(1, 1, 49153) == cudaErrorInvalidValue);
    check("largest_block", launched(1, dim3(16, 1, 64)) == cudaSuccess);
    nothing<<<1, 2000>>>();
    check("errors_stay_until_read", cudaPeekAtLastError() == cudaErrorInvalidConfiguration &&
                                        cudaGetLastError() == cudaErrorInvalidConfiguration &&
                                        cudaGetLastError() == cudaSuccess);
    check("error_names", !std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") &&
                             !std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
}

void memory() {
    float* a = nullptr;
    float host[4] = {1, 2, 3, 4}, back[4] = {};
    bool ok = cudaMalloc(&a, 16) == cudaSuccess && reinterpret_cast<uintptr_t>(a) % 16 == 0;
    ok = ok && cudaMemcpy(a, host, 16, cudaMemcpyHostToDevice) == cudaSuccess;
    ok = ok && cudaMemcpy(back, a, 16, cudaMemcpyDefault) == cudaSuccess && !std::memcmp(host, back, 16);
    check("copies", ok);
    check("copy_past_the_end", cudaMemcpy(a, host, 20, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    check("copy_to_the_host_as_device",
          cudaMemcpy(back, host, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    check("copy_from_the_host_as_device",
          cudaMemcpy(back, host, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    check("copy_to_the_device_as_host",
          cudaMemcpy(a, a, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    check("copy_of_an_unknown_kind",
          cudaMemcpy(back, a, 16, cudaMemcpyKind(9)) == cudaErrorInvalidMemcpyDirection);
    check("set_past_the_end", cudaMemset(a, 0, 17) == cudaErrorInvalidValue);
    check("free_of_a_part", cudaFree(a + 1) == cudaErrorInvalidValue && cudaFree(nullptr) == cudaSuccess);
    cudaFree(a);
    check("free_twice", cudaFree(a) == cudaErrorInvalidValue);
    check("copy_from_freed_memory", cudaMemcpy(back, a, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    cudaMalloc(&a, 8);
    cudaMemcpy(back, a, 8, cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<unsigned char*>(back);
    check("fresh_memory_is_poisoned", bytes[0] == bytes[7] && (bytes[0] == 0xA5 || bytes[0] == 0xFF || bytes[0] == 0));
    cudaFree(a);
    cudaGetLastError();
}

void vectors() {
    check("vector_sizes",
          sizeof(float3) == 12 && sizeof(float4) == 16 && sizeof(uchar3) == 3 && sizeof(double3) == 24);
    check("vector_alignments", alignof(float2) == 8 && alignof(float3) == 4 && alignof(float4) == 16 &&
                                   alignof(short4) == 8 && alignof(double2) == 16 && alignof(uchar4) == 4);
    const int4 v = make_int4(1, 2, 3, 4);
    check("make", v.x == 1 && v.y == 2 && v.z == 3 && v.w == 4);
}

__global__ void use_functions(bool* ok) {
    ok[0] = min(3, -1) == -1 && max(1u, 2u) == 2u && min(1.5f, 2.0f) == 1.5f && max(1.0f, 2.0) == 2.0 &&
            max(-1, 1u) == 0xffffffffu && min(1ll << 40, 2ll) == 2;
    ok[1] = __popc(0xff) == 8 && __clz(1) == 31 && __clz(0) == 32 && __ffs(8) == 4 && __ffs(0) == 0 &&
            __brev(1u) == 0x80000000u && __umulhi(0x80000000u, 4u) == 2u && __popcll(~0ull) == 64;
    ok[2] = __float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f &&
            __longlong_as_double(__double_as_longlong(-0.5)) == -0.5;
    ok[3] = __float2int_rn(2.5f) == 2 && __float2int_rz(-2.5f) == -2 && __float2int_rd(-2.5f) == -3 &&
            __float2int_ru(2.1f) == 3;
    ok[4] = __float2int_rz(1e20f) == 0x7fffffff && __float2int_rz(-1e20f) == int(0x80000000) &&
            __float2int_rz(nanf("")) == 0 && __float2uint_rz(-5.0f) == 0u &&
            __float2uint_rz(1e20f) == 0xffffffffu && __double2ll_rz(1e300) == 0x7fffffffffffffffll;
    ok[5] = rsqrtf(4.0f) == 0.5f && rsqrt(16.0) == 0.25 && fmaf(2.0f, 3.0f, 1.0f) == 7.0f;
    ok[6] = __half_as_ushort(__float2half(2049.0f)) == __half_as_ushort(__float2half(2048.0f)) &&
            float(__float2half(65519.0f)) == 65504.0f && isinf(float(__float2half(65520.0f))) &&
            float(__half(1.0f) / __half(3.0f)) == 0.333251953125f &&
            float(__float2half(0x1p-24f)) == 0x1p-24f && float(__float2half(0x1p-26f)) == 0.0f;
    // The product 1 - 2^-20 rounds to 1: only a fused operation keeps the rest.
    ok[7] = float(__hfma(__half(1.0f + 0x1p-10f), __half(1.0f - 0x1p-10f), __half(-1.0f))) == -0x1p-20f;
}

void functions() {
    OnDevice<char> results(8);
    bool* ok = reinterpret_cast<bool*>(results.device);
    use_functions<<<1, 1>>>(ok);
    results.download();
    check("min_max", results.host[0]);
    check("bits", results.host[1]);
    check("reinterpretation", results.host[2]);
    check("conversions", results.host[3]);
    check("saturation", results.host[4]);
    check("rsqrt_fmaf", results.host[5]);
    check("half_rounds_to_even", results.host[6]);
    check("half_fma_rounds_once", results.host[7]);
}

void streams_and_events() {
    cudaStream_t stream;
    cudaEvent_t start, stop;
    float milliseconds = -1.0f;
    bool ok = cudaStreamCreate(&stream) == cudaSuccess && cudaEventCreate(&start) == cudaSuccess;
    ok = ok && cudaEventCreate(&stop) == cudaSuccess;
    ok = ok && cudaEventElapsedTime(&milliseconds, start, stop) == cudaErrorInvalidResourceHandle;
    ok = ok && cudaEventRecord(start, stream) == cudaSuccess;
    nothing<<<1, 1, 0, stream>>>();
    ok = ok && cudaEventRecord(stop, stream) == cudaSuccess && cudaEventSynchronize(stop) == cudaSuccess;
    ok = ok && cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess && milliseconds >= 0.0f;
    ok = ok && cudaEventDestroy(start) == cudaSuccess && cudaEventDestroy(stop) == cudaSuccess;
    check("streams_and_events", ok && cudaStreamDestroy(stream) == cudaSuccess);
    cudaGetLastError();
}

void device() {
    int count = 0, number = -1;
    cudaDeviceProp properties;
    bool ok =
        cudaGetDeviceCount(&count) == cudaSuccess && count == 1 && cudaGetDevice(&number) == cudaSuccess;
    ok = ok && number == 0 && cudaGetDeviceProperties(&properties, 0) == cudaSuccess &&
         properties.warpSize == 32;
    check("device",
          ok && cudaSetDevice(1) == cudaErrorInvalidDevice && cudaGetLastError() == cudaErrorInvalidDevice);
}

__global__ void first_and_last(int* order) {
    const int place = atomicAdd(&order[0], 1);
    if (place == 0) order[1] = blockIdx.x * blockDim.x + threadIdx.x;
    order[2] = blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void use_fetches(cudaTextureObject_t line, cudaTextureObject_t image, float* out, float4* texels) {
    for (int i = 0; i < 6; ++i) out[i] = tex1Dfetch<float>(line, i - 1);
    for (int i = 0; i < 3; ++i) texels[i] = tex2D<float4>(image, i - 1, 1);
    texels[3] = tex2D<float4>(image, 0.999f, 0);
    texels[4] = tex2D<float4>(image, 5, -7);
}

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, cudaTextureAddressMode mode) {
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = mode;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    return texture;
}

void textures() {
    OnDevice<float> line(4, 2.0f), out(6);
    OnDevice<float4> texels(5);
    cudaResourceDesc linear{};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = line.device;
    linear.res.linear.desc = cudaCreateChannelDesc<float>();
    linear.res.linear.sizeInBytes = 16;
    const cudaTextureObject_t first = texture_of(linear, cudaAddressModeClamp);

    const float4 pixels[2][2] = {{{0, 1, 2, 3}, {4, 5, 6, 7}}, {{8, 9, 10, 11}, {12, 13, 14, 15}}};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
    cudaResourceDesc image{};
    image.resType = cudaResourceTypeArray;
    cudaMallocArray(&image.res.array.array, &format, 2, 2);
    cudaMemcpy2DToArray(image.res.array.array, 0, 0, pixels, 32, 32, 2, cudaMemcpyHostToDevice);
    const cudaTextureObject_t clamped = texture_of(image, cudaAddressModeClamp);
    const cudaTextureObject_t bordered = texture_of(image, cudaAddressModeBorder);

    use_fetches<<<1, 1>>>(first, clamped, out.device, texels.device);
    out.download();
    check("texture_fetch_is_zero_outside",
          out.host[0] == 0 && out.host[1] == 2 && out.host[4] == 2 && out.host[5] == 0);
    texels.download();
    check("texture_points", texels.host[1].x == 8 && texels.host[2].w == 15 && texels.host[3].y == 1);
    check("texture_clamps", texels.host[0].x == 8 && texels.host[4].x == 4);
    use_fetches<<<1, 1>>>(first, bordered, out.device, texels.device);
    texels.download();
    check("texture_border_is_zero", texels.host[0].x == 0 && texels.host[4].w == 0 && texels.host[1].z == 10);

    cudaTextureDesc filtering{};
    filtering.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t none = 0;
    check("texture_filters_are_refused",
          cudaCreateTextureObject(&none, &image, &filtering, nullptr) == cudaErrorNotSupported);
    linear.res.linear.sizeInBytes = 17;
    check("texture_beyond_memory_is_refused", texture_of(linear, cudaAddressModeClamp) == 0);
    check("texture_destroyed_twice", cudaDestroyTextureObject(first) == cudaSuccess &&
                                         cudaDestroyTextureObject(first) == cudaErrorInvalidValue);
    cudaDestroyTextureObject(clamped);
    cudaDestroyTextureObject(bordered);
    cudaFreeArray(image.res.array.array);
    cudaGetLastError();
}

__constant__ float coefficients[3];

__global__ void use_read_only(const float4* in, float* out) {
    const float4 value = __ldg(in);
    for (int i = 0; i < 3; ++i) out[i] = coefficients[i] + value.w;
}

void read_only() {
    OnDevice<float4> in(1, float4{0, 0, 0, 1});
    OnDevice<float> out(3);
    const float values[3] = {1, 2, 3};
    const bool copied = cudaMemcpyToSymbol(coefficients, values, sizeof(values)) == cudaSuccess;
    const bool refused = cudaMemcpyToSymbol(coefficients, values, sizeof(values), 4) == cudaErrorInvalidValue;
    use_read_only<<<1, 1>>>(in.device, out.device);
    check("constant_and_ldg", copied && refused && out.download() == std::vector<float>{2, 3, 4});
    cudaGetLastError();
}

void roundings() {
    check("directed_sums", __fadd_rd(1.0f, 1e-10f) == 1.0f && __fadd_ru(1.0f, 1e-10f) == 1.00000012f &&
                               __fadd_rz(-1.0f, 1e-10f) == -0.99999994f && __dsub_ru(1.0, 1e-20) == 1.0 &&
                               __dsub_rd(1.0, 1e-20) < 1.0);
    check("directed_products", __fmul_rd(0.1f, 3.0f) < __fmul_ru(0.1f, 3.0f) && __frcp_rz(3.0f) < __frcp_ru(3.0f) &&
                                   __fsqrt_rd(2.0f) < __fsqrt_ru(2.0f) && __ddiv_rz(-1.0, 3.0) > __ddiv_rd(-1.0, 3.0) &&
                                   __fmaf_ru(1.0f, 1.0f, 1e-10f) == 1.00000012f);
    check("directed_conversions", __double2float_rd(0.1) < 0.1 && __double2float_ru(0.1) > 0.1 &&
                                      __int2float_rz(16777219) == 16777218.0f && __int2float_ru(16777217) == 16777218.0f &&
                                      __ull2double_rd(~0ull) == 18446744073709549568.0);
}

void packed() {
    check("bytes", __byte_perm(0x33221100u, 0x77665544u, 0x7250) == 0x77225500u && __sad(-3, 4, 1u) == 8u &&
                       __hadd(-3, -4) == -4 && __rhadd(-3, -4) == -3 && __uhadd(~0u, ~0u) == ~0u &&
                       __umul24(0xff000003u, 5u) == 15u && __fns(0xau, 0, 2) == 3u && __fns(0xau, 3, -2) == 1u);
    check("packed_sums", __vadd2(0xffff0001u, 0x00010001u) == 2u && __vsubus4(0x01020304u, 0x02020202u) == 0x00000102u &&
                             __vaddss2(0x7fff8000u, 0x0001ffffu) == 0x7fff8000u && __vavgu4(0x01020304u, 0x02020202u) == 0x02020303u &&
                             __vsads4(0x80u, 0x7fu) == 255u);
    check("packed_comparisons", __vcmpgts2(0x0001ffffu, 0u) == 0xffff0000u && __vsetltu4(0x01ff0001u, 0x02020202u) == 0x01000101u);
    check("dots", __dp4a(0x0102ff04, 0x01010101, 10) == 16 && __dp4a(0x0102ff04u, 0x01010101u, 10u) == 272u &&
                      __dp2a_lo(0x0002ffff, 0x0302, 0) == 4 && __dp2a_hi(0x0002ffff, 0x03020000, 0) == 4);
    const __half2 halves = __hfma2(__floats2half2_rn(1.0f, 2.0f), __float2half2_rn(3.0f), __floats2half2_rn(0.5f, -6.0f));
    check("pairs", __low2float(halves) == 3.5f && __hbeq2(__highs2half2(halves, halves), __float2half2_rn(0.0f)) &&
                       __hmax2(halves, -halves).y == __float2half(0.0f));
}

int main() {
    roundings();
    packed();
    textures();
    read_only();
    thread_indices();
    atomics();
    barriers();
    warps();
    symbols();
    launch_errors();
    memory();
    vectors();
    functions();
    streams_and_events();
    device();
    OnDevice<int> order(3);
    first_and_last<<<2, 40>>>(order.device);
    order.download();
    std::printf("order %d %d\n", order.host[1], order.host[2]);
    return 0;
}
