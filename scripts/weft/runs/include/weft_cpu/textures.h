// Texture objects with point sampling and unnormalised coordinates (CUDA C++ Programming Guide, "Texture
// Memory"); what filters is refused.
#pragma once

using cudaTextureObject_t = unsigned long long;
using cudaArray_t = struct cudaArray*;
using cudaArray_const_t = const struct cudaArray*;

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3,
};
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3,
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3,
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

// Bits of each component.
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};

struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
    unsigned int flags;
};

struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};

struct cudaResourceViewDesc;

// Defined in device/textures.cpp, as are the functions of weft_cpu below.
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height = 0, unsigned int flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind);
inline cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
    if (width > to_pitch || width > from_pitch) return weft_cpu::fail(cudaErrorInvalidValue);
    for (size_t row = 0; row < height; ++row) {
        const cudaError_t status =
            cudaMemcpyAsync(static_cast<unsigned char*>(to) + row * to_pitch,
                            static_cast<const unsigned char*>(from) + row * from_pitch, width, kind, stream);
        if (status != cudaSuccess) return status;
    }
    return cudaSuccess;
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);

template <typename T>
cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
    return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}

namespace weft_cpu {

// Kind, number and type of a texel's components; no definition for what cannot be a texel.
template <typename T>
struct Texel;

#define WEFT_CPU_TEXEL(type, scalar, components, kind)                              \
    template <>                                                                     \
    struct Texel<type> {                                                            \
        static constexpr int kComponents = components;                              \
        static constexpr int kBits = 8 * sizeof(scalar);                            \
        static constexpr cudaChannelFormatKind kKind = cudaChannelFormatKind##kind; \
    };
#define WEFT_CPU_TEXELS(scalar, name, kind)  \
    WEFT_CPU_TEXEL(scalar, scalar, 1, kind)  \
    WEFT_CPU_TEXEL(name##1, scalar, 1, kind) \
    WEFT_CPU_TEXEL(name##2, scalar, 2, kind) \
    WEFT_CPU_TEXEL(name##4, scalar, 4, kind)

WEFT_CPU_TEXELS(signed char, char, Signed)
WEFT_CPU_TEXELS(unsigned char, uchar, Unsigned)
WEFT_CPU_TEXELS(short, short, Signed)
WEFT_CPU_TEXELS(unsigned short, ushort, Unsigned)
WEFT_CPU_TEXELS(int, int, Signed)
WEFT_CPU_TEXELS(unsigned int, uint, Unsigned)
WEFT_CPU_TEXELS(float, float, Float)

#undef WEFT_CPU_TEXELS
#undef WEFT_CPU_TEXEL

// Copies the texel at (x, y) to `out`: zero beyond linear memory, by the texture's address mode beyond an
// array. Ends the program if a texel of the texture is of another type.
void fetch(cudaTextureObject_t texture, bool linear, float x, float y, int i,
           const cudaChannelFormatDesc& format, void* out);

}  // namespace weft_cpu

template <typename T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    constexpr int bits = weft_cpu::Texel<T>::kBits, components = weft_cpu::Texel<T>::kComponents;
    return {bits, components > 1 ? bits : 0, components > 2 ? bits : 0, components > 3 ? bits : 0,
            weft_cpu::Texel<T>::kKind};
}

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}

template <typename T>
inline T tex1Dfetch(cudaTextureObject_t texture, int i) {
    T texel;
    weft_cpu::fetch(texture, true, 0.0f, 0.0f, i, cudaCreateChannelDesc<T>(), &texel);
    return texel;
}

template <typename T>
inline T tex1D(cudaTextureObject_t texture, float x) {
    T texel;
    weft_cpu::fetch(texture, false, x, 0.0f, 0, cudaCreateChannelDesc<T>(), &texel);
    return texel;
}

template <typename T>
inline T tex2D(cudaTextureObject_t texture, float x, float y) {
    T texel;
    weft_cpu::fetch(texture, false, x, y, 0, cudaCreateChannelDesc<T>(), &texel);
    return texel;
}
