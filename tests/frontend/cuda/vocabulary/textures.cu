texture<float, 2, cudaReadModeElementType> reference;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours; surface<void, 2> target;
__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float* out) {
    float4 c = tex2D(colours, 1.f, 2.f); out[0] = tex2D<float>(t, 1.f, 2.f) + tex1Dfetch<float>(t,
        threadIdx.x) + tex2D(reference, 0.5f, 1.f) + c.x + tex3D<float>(t, 1, 2, 3);
    surf2Dwrite(make_uchar4(1, 2, 3, 4), s, threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(1.f, target, 0, 0); uchar4 u; surf2Dread(&u, s, 4, 4);
}
void go(cudaArray_t array) { cudaTextureDesc d = {}; d.addressMode[0] = cudaAddressModeClamp;
cudaResourceDesc r = {}; r.res.array.array = array; cudaTextureObject_t t;
cudaCreateTextureObject(&t, &r, &d, NULL); cudaBindTextureToArray(reference, array); }

// texture references have a constructor of how they address: `= 0` and `t(0, filter)` are nvcc's.
texture<float, 1, cudaReadModeElementType> plain_texels = 0;
texture<float, 2> filtered_texels(1, cudaFilterModeLinear, cudaAddressModeClamp);
__global__ void constructed_textures(float *out) {
    out[threadIdx.x] = tex1Dfetch(plain_texels, threadIdx.x) + tex2D(filtered_texels, 0.5f, 0.5f);
}
