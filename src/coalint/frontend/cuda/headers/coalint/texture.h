// Texture and surface objects, and the texture references of older code.
#pragma once

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
enum cudaResourceViewFormat { cudaResViewFormatNone };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum { cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3, cudaTextureTypeCubemap = 12, cudaTextureType1DLayered = 241, cudaTextureType2DLayered = 242, cudaTextureTypeCubemapLayered = 252 };
enum { cudaSurfaceType1D = 1, cudaSurfaceType2D = 2, cudaSurfaceType3D = 3, cudaSurfaceTypeCubemap = 12, cudaSurfaceType2DLayered = 242 };
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
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct { cudaArray_t array; } array;
        struct { cudaMipmappedArray_t mipmap; } mipmap;
        struct { void* devPtr; cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;
        struct { void* devPtr; cudaChannelFormatDesc desc; size_t width, height, pitchInBytes; } pitch2D;
        struct { int reserved[32]; } reserved;
    } res;
    unsigned int flags;
};
struct cudaResourceViewDesc { cudaResourceViewFormat format; size_t width, height, depth; unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer; char coalint_rest[64]; };
struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
struct surfaceReference { cudaChannelFormatDesc channelDesc; };

COALINT_HOST_DEVICE_BEGIN

template <class T_, int kind_ = cudaTextureType1D, cudaTextureReadMode mode_ = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
    texture() = default;
    texture(int normalized, cudaTextureFilterMode = cudaFilterModePoint, cudaTextureAddressMode = cudaAddressModeClamp);
    texture(int normalized, cudaTextureFilterMode, cudaTextureAddressMode, cudaChannelFormatDesc);
};
template <class T_, int kind_ = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : surfaceReference {};

// What a fetch yields: the texel, or floats in its place for a reference that normalizes.
template <class T_, cudaTextureReadMode> struct coalint_texel { typedef T_ type; };
#define COALINT_NORMALIZED(T_, F_) template <> struct coalint_texel<T_, cudaReadModeNormalizedFloat> { typedef F_ type; };
COALINT_NORMALIZED(char, float) COALINT_NORMALIZED(signed char, float) COALINT_NORMALIZED(unsigned char, float)
COALINT_NORMALIZED(short, float) COALINT_NORMALIZED(unsigned short, float) COALINT_NORMALIZED(char2, float2) COALINT_NORMALIZED(uchar2, float2)
COALINT_NORMALIZED(short2, float2) COALINT_NORMALIZED(ushort2, float2) COALINT_NORMALIZED(char4, float4) COALINT_NORMALIZED(uchar4, float4)
COALINT_NORMALIZED(short4, float4) COALINT_NORMALIZED(ushort4, float4)
#undef COALINT_NORMALIZED

#define COALINT_FETCH(name, ...)                                                                                            \
    template <class T_> T_ name(cudaTextureObject_t, __VA_ARGS__);                                                          \
    template <class T_> void name(T_*, cudaTextureObject_t, __VA_ARGS__);                                                   \
    template <class T_, int kind_, cudaTextureReadMode mode_>                                                               \
    typename coalint_texel<T_, mode_>::type name(texture<T_, kind_, mode_>, __VA_ARGS__);
COALINT_FETCH(tex1Dfetch, int)
COALINT_FETCH(tex1D, float)
COALINT_FETCH(tex2D, float, float)
COALINT_FETCH(tex3D, float, float, float)
COALINT_FETCH(tex1DLayered, float, int)
COALINT_FETCH(tex2DLayered, float, float, int)
COALINT_FETCH(texCubemap, float, float, float)
COALINT_FETCH(texCubemapLayered, float, float, float, int)
COALINT_FETCH(tex1DLod, float, float)
COALINT_FETCH(tex2DLod, float, float, float)
COALINT_FETCH(tex3DLod, float, float, float, float)
COALINT_FETCH(texCubemapLod, float, float, float, float)
COALINT_FETCH(tex2DLayeredLod, float, float, int, float)
COALINT_FETCH(tex1DGrad, float, float, float)
COALINT_FETCH(tex2DGrad, float, float, float2, float2)
COALINT_FETCH(tex3DGrad, float, float, float, float4, float4)
COALINT_FETCH(tex2Dgather, float, float, int = 0)
#undef COALINT_FETCH

#define COALINT_SURFACE(name, ...)                                                                                       \
    template <class T_> T_ name##read(cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
    template <class T_> void name##read(T_*, cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
    template <class T_> void name##write(T_, cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
    template <class T_, class U_, int kind_> void name##read(T_*, surface<U_, kind_>, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
    template <class T_, class U_, int kind_> void name##write(T_, surface<U_, kind_>, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
COALINT_SURFACE(surf1D, int)
COALINT_SURFACE(surf2D, int, int)
COALINT_SURFACE(surf3D, int, int, int)
COALINT_SURFACE(surf1DLayered, int, int)
COALINT_SURFACE(surf2DLayered, int, int, int)
COALINT_SURFACE(surfCubemap, int, int, int)
#undef COALINT_SURFACE

cudaError_t cudaCreateTextureObject(cudaTextureObject_t*, const cudaResourceDesc*, const cudaTextureDesc*, const cudaResourceViewDesc*);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc*, cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t*, const cudaResourceDesc*);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc*, cudaArray_const_t);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc*, cudaExtent*, unsigned int*, cudaArray_t);
template <class T_, class... A_> cudaError_t cudaBindTexture(size_t*, const T_&, const void*, A_...);
template <class T_, class... A_> cudaError_t cudaBindTexture2D(size_t*, const T_&, const void*, A_...);
template <class T_, class... A_> cudaError_t cudaBindTextureToArray(const T_&, A_...);
template <class T_, class... A_> cudaError_t cudaBindSurfaceToArray(const T_&, A_...);
template <class T_> cudaError_t cudaUnbindTexture(const T_&);

COALINT_HOST_DEVICE_END
