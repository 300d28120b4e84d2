// What the judge's driver (runs/device/driver.cpp) knows of a sample, and what a sample's launcher gets from it.
// The cuda stage writes for each sample a table of leaves and a function that calls its launcher.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace weft_driver {

// A member of a struct: where it starts, and its bytes. Structs have padding, array files have none.
struct Member {
    size_t offset, size;
};

// An array on the device, a table in constant memory, which has no such array, or what is passed by value.
enum class Kind { array, table, value };

// A parameter under its name in array files; `bytes` are those of an element. Only structs that have padding
// list their members.
struct Leaf {
    const char* name;
    const char* type;
    size_t bytes;
    Kind kind;
    const Member* members;
    size_t member_count;
};

// What one leaf holds while the launcher runs.
struct Held {
    void* host = nullptr;
    void* device = nullptr;
    size_t count = 0;  // elements
    size_t bytes = 0;
    uint64_t shape[4] = {};
    size_t rank = 0;
    cudaTextureObject_t texture = 0;
    cudaArray_t texels = nullptr;
    bool is_in_table = false;
};

// The arguments of one launch: leaves by their number in the table, and numbers that follow from the launch.
struct Arguments {
    Held* held;
    const long long* numbers;

    template <typename T>
    T* array(size_t leaf) const {
        return static_cast<T*>(held[leaf].device);
    }
    template <typename T>
    const T& value(size_t leaf) const {
        return *static_cast<const T*>(held[leaf].host);
    }
    int extent(size_t leaf, size_t axis) const { return int(held[leaf].shape[axis]); }

    // Elements between neighbours along an axis.
    int stride(size_t leaf, size_t axis) const {
        uint64_t product = 1;
        for (size_t i = axis + 1; i < held[leaf].rank; ++i) product *= held[leaf].shape[i];
        return int(product);
    }

    // A texture object over the array, which the driver destroys: of one dimension in linear memory, of two
    // over a copy of the rows in a CUDA array.
    template <typename T>
    cudaTextureObject_t texture(size_t leaf) const {
        return texture_of(held[leaf], cudaCreateChannelDesc<T>(), sizeof(T));
    }

    // Copies the leaf into constant memory, before the first launch.
    template <typename T>
    cudaError_t fill(T& table, size_t leaf) const {
        if (held[leaf].is_in_table) return cudaSuccess;
        held[leaf].is_in_table = true;
        return cudaMemcpyToSymbol(table, held[leaf].host, held[leaf].bytes);
    }

private:
    static cudaTextureObject_t texture_of(Held& held, const cudaChannelFormatDesc& format, size_t texel_bytes);
};

// One sample of a shard; `main` is its own, null for a sample without one.
struct Sample {
    const char* name;
    const Leaf* leaves;
    size_t leaf_count;
    cudaError_t (*launch)(const Arguments& given);
    int (*main)();
};

extern const Sample samples[];  // the last one has no name

}  // namespace weft_driver
