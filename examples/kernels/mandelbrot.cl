// How many steps each point of the complex plane takes to leave the circle of radius 2.
kernel void mandelbrot(global ushort *steps, float left, float top, float pixel, ushort limit) {
  size_t x = get_global_id(0), y = get_global_id(1);
  float real = left + x * pixel, imaginary = top + y * pixel;
  float a = 0, b = 0;
  ushort step = 0;
  while (step < limit && a * a + b * b <= 4) {
    float next = a * a - b * b + real;
    b = 2 * a * b + imaginary;
    a = next;
    step++;
  }
  steps[y * get_global_size(0) + x] = step;
}
