// Texture objects over linear memory, pitched memory and CUDA arrays, sampled at points.
#include <cmath>
#include <cstdlib>
#include <vector>

#include "device.h"

struct cudaArray {
    cudaChannelFormatDesc format;
    size_t width, height;
    std::vector<unsigned char> bytes;
};

namespace weft_cpu {
namespace {

// Limits that hold on every architecture (CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability").
constexpr size_t kMostLinear = size_t{1} << 27;
constexpr size_t kMostWidth = 131072, kMostHeight = 65536;

struct Texture {
    const unsigned char* texels;
    cudaChannelFormatDesc format;
    size_t width, height, pitch;
    cudaTextureAddressMode mode[2];
    bool linear;
};

// Handles are places in this list, from 1; destroyed textures leave null.
std::vector<Texture*>& textures() {
    static auto* all = new std::vector<Texture*>;
    return *all;
}

size_t texel_bytes(const cudaChannelFormatDesc& format) {
    return (format.x + format.y + format.z + format.w) / 8;
}

bool is_format(const cudaChannelFormatDesc& format) {
    const bool components = (!format.y && !format.z && !format.w) ||
                            (format.y == format.x && !format.z && !format.w) ||
                            (format.y == format.x && format.z == format.x && format.w == format.x);
    const bool bits =
        format.x == 32 || (format.f != cudaChannelFormatKindFloat && (format.x == 8 || format.x == 16));
    return components && bits && format.f != cudaChannelFormatKindNone;
}

bool same(const cudaChannelFormatDesc& a, const cudaChannelFormatDesc& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w && a.f == b.f;
}

// The texel that a coordinate names among `count`; -1 for the border.
long long texel_index(float coordinate, size_t count, cudaTextureAddressMode mode) {
    const double at = std::floor(coordinate);
    if (at >= 0 && at < static_cast<double>(count)) return static_cast<long long>(at);
    if (mode == cudaAddressModeBorder) return -1;
    // Wrapping and mirroring need normalised coordinates; without them they clamp. NaN is taken for 0.
    return at > 0 ? static_cast<long long>(count) - 1 : 0;
}

}  // namespace

void fetch(cudaTextureObject_t handle, bool linear, float x, float y, int i,
           const cudaChannelFormatDesc& format, void* out) {
    const std::vector<Texture*>& all = textures();
    const Texture* texture = handle >= 1 && handle <= all.size() ? all[handle - 1] : nullptr;
    if (!texture) stop(kOutOfBounds, "fetch from a texture object that does not exist");
    if (!same(texture->format, format)) stop(kCudaError, "fetch of another type than the texture's");
    if (texture->linear != linear) {
        stop(kCudaError, linear ? "tex1Dfetch from a texture that is not linear memory"
                                  : "tex1D or tex2D from a texture of linear memory");
    }
    const size_t bytes = texel_bytes(format);
    memset(out, 0, bytes);
    const long long column = linear ? i : texel_index(x, texture->width, texture->mode[0]);
    const long long row = linear ? 0 : texel_index(y, texture->height, texture->mode[1]);
    if (column < 0 || column >= static_cast<long long>(texture->width) || row < 0) return;
    memcpy(out, texture->texels + row * texture->pitch + column * bytes, bytes);
}

}  // namespace weft_cpu

using namespace weft_cpu;

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned int) {
    if (!array || !format || !is_format(*format) || width == 0 || width > kMostWidth ||
        height > kMostHeight) {
        return fail(cudaErrorInvalidValue);
    }
    const size_t rows = height ? height : 1;
    *array = new cudaArray{*format, width, rows, {}};
    (*array)->bytes.assign(width * rows * texel_bytes(*format), poison());
    return cudaSuccess;
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    finish_all_work();
    delete array;
    return cudaSuccess;
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    if (!pitch) return fail(cudaErrorInvalidValue);
    *pitch = pitch_of(width);
    return cudaMalloc(pointer, *pitch * height);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
    if (width > to_pitch || width > from_pitch) return fail(cudaErrorInvalidValue);
    // Each copy opens the device's memory to the host, which takes longer than the bytes of a row.
    if (width == to_pitch && width == from_pitch) return cudaMemcpy(to, from, width * height, kind);
    for (size_t row = 0; row < height; ++row) {
        const cudaError_t error =
            cudaMemcpy(static_cast<unsigned char*>(to) + row * to_pitch,
                       static_cast<const unsigned char*>(from) + row * from_pitch, width, kind);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
    if (!to || width > pitch) return fail(cudaErrorInvalidValue);
    const size_t row_bytes = to->width * texel_bytes(to->format);
    if (x > row_bytes || width > row_bytes - x || y > to->height || height > to->height - y) {
        return fail(cudaErrorInvalidValue);
    }
    const cudaMemcpyKind to_host =
        kind == cudaMemcpyHostToDevice ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice)
        return fail(cudaErrorInvalidValue);
    return cudaMemcpy2D(to->bytes.data() + y * row_bytes + x, row_bytes, from, pitch, width, height, to_host);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* handle, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
    if (!handle || !resource || !description) return fail(cudaErrorInvalidValue);
    if (view || description->filterMode != cudaFilterModePoint || description->normalizedCoords ||
        description->readMode != cudaReadModeElementType) {
        return fail(cudaErrorNotSupported);
    }
    Texture texture{};
    texture.mode[0] = description->addressMode[0];
    texture.mode[1] = description->addressMode[1];
    switch (resource->resType) {
        case cudaResourceTypeLinear: {
            const auto& linear = resource->res.linear;
            if (!is_format(linear.desc) || !is_device(linear.devPtr, linear.sizeInBytes)) {
                return fail(cudaErrorInvalidValue);
            }
            const size_t count = linear.sizeInBytes / texel_bytes(linear.desc);
            if (count == 0 || count > kMostLinear) return fail(cudaErrorInvalidValue);
            texture.texels = static_cast<const unsigned char*>(linear.devPtr);
            texture.format = linear.desc;
            texture.width = count;
            texture.height = 1;
            texture.linear = true;
            break;
        }
        case cudaResourceTypePitch2D: {
            const auto& pitched = resource->res.pitch2D;
            const size_t bytes = pitched.pitchInBytes * pitched.height;
            if (!is_format(pitched.desc) || bytes == 0 || !is_device(pitched.devPtr, bytes) ||
                pitched.pitchInBytes % 32 != 0 ||
                pitched.width * texel_bytes(pitched.desc) > pitched.pitchInBytes) {
                return fail(cudaErrorInvalidValue);
            }
            texture.texels = static_cast<const unsigned char*>(pitched.devPtr);
            texture.format = pitched.desc;
            texture.width = pitched.width;
            texture.height = pitched.height;
            texture.pitch = pitched.pitchInBytes;
            break;
        }
        case cudaResourceTypeArray: {
            const cudaArray* array = resource->res.array.array;
            if (!array) return fail(cudaErrorInvalidValue);
            texture.texels = array->bytes.data();
            texture.format = array->format;
            texture.width = array->width;
            texture.height = array->height;
            texture.pitch = array->width * texel_bytes(array->format);
            break;
        }
        default:
            return fail(cudaErrorNotSupported);
    }
    textures().push_back(new Texture(texture));
    *handle = textures().size();
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
    std::vector<Texture*>& all = textures();
    if (handle == 0) return cudaSuccess;
    finish_all_work();
    if (handle > all.size() || !all[handle - 1]) return fail(cudaErrorInvalidValue);
    delete all[handle - 1];
    all[handle - 1] = nullptr;
    return cudaSuccess;
}
