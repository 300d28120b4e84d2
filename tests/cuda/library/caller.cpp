// Calls two libraries that were translated apart, on data of its own.
#include <cmath>
#include <cstdio>
#include <type_traits>
#include <vector>

#include "pull.cuh"
#include "stretch.cuh"

namespace {

template <typename T>
T* upload(const std::vector<T>& values) {
    T* device = nullptr;
    cudaMalloc(&device, values.size() * sizeof(T));
    cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

template <typename T>
std::vector<T> download(const T* device, size_t count) {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
}

}  // namespace

int main() {
    float3* position = upload<float3>({{0, 0, 0}, {0, 3, 4}, {1, 0, 0}});
    static_assert(std::is_same_v<pull::Spring, stretch::Spring>);
    const pull::Spring* springs = upload<pull::Spring>({{1, 2}, {0, 1}});
    const int2* ends = upload<int2>({{0, 1}, {2, 0}});
    float3* forces = upload<float3>(std::vector<float3>(2));
    float* lengths = upload<float>(std::vector<float>(3));

    if (pull::launch_pull(position, ends, springs, forces, 2) != cudaSuccess) return 1;
    const stretch::Mat3f frame = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
    const pull::Spring spring = {1, 1};
    if (stretch::launch_stretch(position, spring, frame, lengths, 3, 1) != cudaSuccess) return 1;
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;

    for (const float3& force : download(forces, 2)) std::printf("%g %g %g\n", force.x, force.y, force.z);
    for (const float length : download(lengths, 3)) std::printf("%g\n", length);
    return 0;
}
