// More candidates for the sample `evens`: launchers with their kernels, or kernels alone.
// Each begins with its name and the verdict that it deserves; test_candidate.py says what it may use.

//// a launcher and its kernel: verified
#include <cuda_runtime.h>
RIGHT_KERNEL
RIGHT_LAUNCHER

//// another kernel: compile_error: it does not define all of: __global__ void evens(const float*
__global__ void odds(const float* x, const float* y, float* out, int n) {}

//// launches nothing: unwritten_output
LAUNCHER { return cudaSuccess; }

//// computes on the host, with copies: cuda_error: copies between the host's memory and the device's
#include <vector>
LAUNCHER {
    std::vector<float> a(n), b(n), c(n);
    cudaMemcpy(a.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(b.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(c.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i += 2) c[i] = fmaxf(2.0f * a[i] + b[i], 0.0f);
    return cudaMemcpy(out, c.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}

//// reads its environment: compile_error: may not call getenv
#include <cstdlib>
RIGHT_KERNEL
LAUNCHER {
    if (!getenv("WEFT_THREAD_ORDER")) evens<<<(n + 255) / 256, 256>>>(x, y, out, n);
    return cudaGetLastError();
}

//// writes files: compile_error: may not call fopen
#include <cstdio>
RIGHT_KERNEL
LAUNCHER {
    evens<<<(n + 255) / 256, 256>>>(x, y, out, n);
    return fopen("kept", "w") ? cudaGetLastError() : cudaErrorUnknown;
}

//// memory of both sides: compile_error: may not call cudaMallocManaged
LAUNCHER {
    float* both = nullptr;
    return cudaMallocManaged(&both, n * sizeof(float));
}
