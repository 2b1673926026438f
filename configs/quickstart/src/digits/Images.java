package digits;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A set of images with their digits, each in one flat array. */
record Images(byte[] labels, byte[] pixels) {
  static final int TRAINING_SEED = 1;
  static final int TEST_SEED = 2;

  /** Generates images, the same for the same seed, with equal numbers of the ten digits. */
  static Images generate(int count, long seed) {
    Glyphs glyphs = new Glyphs(seed);
    byte[] labels = new byte[count];
    byte[] pixels = new byte[count * Glyphs.PIXELS];
    byte[] image = new byte[Glyphs.PIXELS];
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) (i % 10);
      glyphs.draw(labels[i], image);
      System.arraycopy(image, 0, pixels, i * Glyphs.PIXELS, Glyphs.PIXELS);
    }
    return new Images(labels, pixels);
  }

  int count() {
    return labels.length;
  }

  /** Writes image {@code i} into {@code input}, as values centered at zero, which train better. */
  void copyTo(int i, float[] input) {
    for (int p = 0, from = i * Glyphs.PIXELS; p < Glyphs.PIXELS; p++) {
      input[p] = (pixels[from + p] & 255) / 128f - 0.5f;
    }
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(count());
    out.write(labels);
    out.write(pixels);
  }

  static Images read(DataInputStream in) throws IOException {
    int count = in.readInt();
    return new Images(in.readNBytes(count), in.readNBytes(count * Glyphs.PIXELS));
  }

  /** Generates both sets in a file: {@code Images FILE TRAINING_COUNT TEST_COUNT}. */
  public static void main(String[] args) throws IOException {
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(Path.of(args[0])))) {
      generate(Integer.parseInt(args[1]), TRAINING_SEED).write(out);
      generate(Integer.parseInt(args[2]), TEST_SEED).write(out);
    }
  }
}
