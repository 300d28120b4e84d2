// Heats a plate with two translated kernels, and compares it with the same computation on the host.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "diffuse.cuh"
#include "heat_sources.cuh"

namespace {

constexpr int rows = 61, columns = 83, steps = 100;
constexpr float time_step = 0.1f, limit = 80.0f;

void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

struct Free {
    void operator()(float* pointer) const { cudaFree(pointer); }
};
using DeviceArray = std::unique_ptr<float, Free>;

DeviceArray upload(const std::vector<float>& values) {
    float* pointer = nullptr;
    check(cudaMalloc(&pointer, values.size() * sizeof(float)));
    DeviceArray array(pointer);
    check(cudaMemcpy(pointer, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
    return array;
}

// The plate after one step, as a reader of heat.py would compute it.
std::vector<float> step_on_host(const std::vector<float>& plate, const std::vector<float>& diffusivity,
                                const std::vector<float>& source) {
    std::vector<float> next(plate.size());
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const int cell = row * columns + column;
            const float above = plate[std::max(row - 1, 0) * columns + column];
            const float below = plate[std::min(row + 1, rows - 1) * columns + column];
            const float left = plate[row * columns + std::max(column - 1, 0)];
            const float right = plate[row * columns + std::min(column + 1, columns - 1)];
            const float laplacian = above + below + left + right - 4.0f * plate[cell];
            next[cell] = plate[cell] + time_step * diffusivity[cell] * laplacian;
            if (source[cell] > 0.0f) next[cell] = std::min(next[cell] + time_step * source[cell], limit);
        }
    }
    return next;
}

}  // namespace

int main() {
    std::vector<float> plate(rows * columns, 20.0f), diffusivity(plate.size(), 0.5f), source(plate.size());
    for (int column = 10; column < 30; ++column) source[40 * columns + column] = 50.0f;

    DeviceArray current = upload(plate), next = upload(plate);
    const DeviceArray device_diffusivity = upload(diffusivity), device_source = upload(source);
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    for (int step = 0; step < steps; ++step) {
        check(diffuse::launch_diffuse(current.get(), device_diffusivity.get(), next.get(), rows, columns,
                                      time_step, stream));
        check(heat_sources::launch_heat_sources(next.get(), device_source.get(), limit, time_step,
                                                rows * columns, stream));
        current.swap(next);
    }
    check(cudaStreamSynchronize(stream));
    check(cudaStreamDestroy(stream));

    std::vector<float> result(plate.size());
    check(cudaMemcpy(result.data(), current.get(), result.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int step = 0; step < steps; ++step) plate = step_on_host(plate, diffusivity, source);
    float difference = 0.0f;
    for (size_t cell = 0; cell < plate.size(); ++cell) {
        difference = std::max(difference, std::fabs(result[cell] - plate[cell]));
    }
    // A GPU contracts a * b + c into one rounding, the host does not.
    std::printf("hottest cell %.2f, largest difference to the host %g\n",
                *std::max_element(result.begin(), result.end()), difference);
    return difference < 1e-3f ? EXIT_SUCCESS : EXIT_FAILURE;
}
