// The mean of each pixel and those around it, up to so many pixels away, in each channel.
kernel void blur(global const uchar4 *from, global uchar4 *to, int radius) {
  int x = get_global_id(0), y = get_global_id(1);
  int width = get_global_size(0), height = get_global_size(1);
  uint4 sum = 0;
  uint count = 0;
  for (int v = max(y - radius, 0); v <= min(y + radius, height - 1); v++) {
    for (int u = max(x - radius, 0); u <= min(x + radius, width - 1); u++) {
      sum += convert_uint4(from[v * width + u]);
      count++;
    }
  }
  to[y * width + x] = convert_uchar4(sum / count);
}
