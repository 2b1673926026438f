package digits;

import java.util.Random;

/** Draws digits that look handwritten: strokes with random variation on a noisy background. */
final class Glyphs {
  static final int SIDE = 16;
  static final int PIXELS = SIDE * SIDE;

  /** The strokes of each digit as x, y, x, y, … in the unit square; y points down. */
  private static final double[][][] STROKES = {
    {{.50, .10, .70, .20, .78, .50, .70, .80, .50, .90, .30, .80, .22, .50, .30, .20, .50, .10}},
    {{.35, .28, .55, .10, .55, .90}},
    {{.25, .30, .35, .14, .58, .10, .75, .27, .65, .50, .25, .90, .78, .90}},
    {{.27, .15, .55, .10, .73, .27, .48, .47, .75, .67, .55, .90, .25, .85}},
    {{.60, .10, .22, .62, .80, .62}, {.63, .36, .62, .92}},
    {{.72, .10, .32, .10, .29, .45, .57, .42, .75, .65, .55, .90, .25, .84}},
    {{.65, .10, .38, .35, .27, .67, .45, .90, .71, .78, .68, .56, .46, .50, .29, .66}},
    {{.24, .12, .76, .12, .45, .90}},
    {{.50, .48, .30, .29, .50, .10, .70, .29, .50, .48, .27, .70, .50, .90, .73, .70, .50, .48}},
    {{.71, .34, .52, .50, .30, .32, .47, .11, .70, .20, .71, .34, .60, .90}},
  };

  private static final double WOBBLE = 0.03;
  private static final double NOISE = 0.12;

  private final Random random;

  /** {@link Random} specifies its algorithm, so the images are the same on every machine. */
  Glyphs(long seed) {
    this.random = new Random(seed);
  }

  /** Draws one image into {@code image}, as gray values from 0 to 255, row by row. */
  void draw(int digit, byte[] image) {
    double[][] strokes = placed(STROKES[digit]);
    double width = between(0.035, 0.085);
    double ink = between(0.55, 1.0);
    for (int p = 0; p < PIXELS; p++) {
      double x = (p % SIDE + 0.5) / SIDE;
      double y = (p / SIDE + 0.5) / SIDE;
      double far = (Math.sqrt(nearest(strokes, x, y)) - width) * SIDE;
      double grey = ink * Math.min(1, Math.max(0, 1 - far)) + NOISE * random.nextGaussian();
      image[p] = (byte) Math.round(255 * Math.min(1, Math.max(0, grey)));
    }
  }

  /** Returns the strokes with perturbed corners, rotated, sheared, scaled and moved. */
  private double[][] placed(double[][] strokes) {
    double turn = between(-0.38, 0.38);
    double shear = between(-0.3, 0.3);
    double wide = between(0.6, 1.0);
    double high = between(0.65, 1.0);
    double right = between(-0.12, 0.12);
    double down = between(-0.10, 0.10);
    double cos = StrictMath.cos(turn);
    double sin = StrictMath.sin(turn);
    double[][] placed = new double[strokes.length][];
    for (int s = 0; s < strokes.length; s++) {
      placed[s] = new double[strokes[s].length];
      for (int i = 0; i < placed[s].length; i += 2) {
        double v = (strokes[s][i + 1] - 0.5 + WOBBLE * random.nextGaussian()) * high;
        double u = (strokes[s][i] - 0.5 + WOBBLE * random.nextGaussian()) * wide + shear * v;
        placed[s][i] = 0.5 + right + u * cos - v * sin;
        placed[s][i + 1] = 0.5 + down + u * sin + v * cos;
      }
    }
    return placed;
  }

  /** Returns the squared distance from a point to the nearest stroke. */
  private static double nearest(double[][] strokes, double x, double y) {
    double nearest = Double.MAX_VALUE;
    for (double[] stroke : strokes) {
      for (int i = 0; i + 3 < stroke.length; i += 2) {
        double dx = stroke[i + 2] - stroke[i];
        double dy = stroke[i + 3] - stroke[i + 1];
        double px = x - stroke[i];
        double py = y - stroke[i + 1];
        double along = (px * dx + py * dy) / (dx * dx + dy * dy + 1e-12);
        along = Math.min(1, Math.max(0, along));
        double ex = px - along * dx;
        double ey = py - along * dy;
        nearest = Math.min(nearest, ex * ex + ey * ey);
      }
    }
    return nearest;
  }

  private double between(double low, double high) {
    return low + (high - low) * random.nextDouble();
  }
}
