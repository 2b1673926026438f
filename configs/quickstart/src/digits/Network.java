package digits;

import java.util.Arrays;
import java.util.Random;

/**
 * A multilayer perceptron: pixels → hidden units (ReLU) → ten scores. It is trained by gradient
 * descent with momentum.
 *
 * <p>Weights, velocity and gradients are flat arrays, so that they can be sent, summed and saved
 * without conversion. Inner loops run over neighboring floats and add in a fixed order, so the
 * result is bit-identical for the same input.
 */
final class Network {
  private static final int INPUTS = Glyphs.PIXELS;
  private static final int HIDDEN = 128;
  private static final int OUTPUTS = 10;
  private static final int HIDDEN_BIAS = INPUTS * HIDDEN;
  private static final int OUTPUT_WEIGHTS = HIDDEN_BIAS + HIDDEN;
  private static final int OUTPUT_BIAS = OUTPUT_WEIGHTS + HIDDEN * OUTPUTS;
  static final int SIZE = OUTPUT_BIAS + OUTPUTS;

  final float[] weights = new float[SIZE];
  final float[] velocity = new float[SIZE];

  private final float[] input = new float[INPUTS];
  private final float[] hidden = new float[HIDDEN];
  private final float[] hiddenError = new float[HIDDEN];
  private final float[] scores = new float[OUTPUTS];

  Network(long seed) {
    Random random = new Random(seed);
    fill(random, 0, HIDDEN_BIAS, Math.sqrt(2.0 / INPUTS));
    fill(random, OUTPUT_WEIGHTS, OUTPUT_BIAS, Math.sqrt(1.0 / HIDDEN));
  }

  private void fill(Random random, int from, int to, double scale) {
    for (int i = from; i < to; i++) {
      weights[i] = (float) (scale * random.nextGaussian());
    }
  }

  /** Adds the gradient of one image's loss to {@code gradient} and returns the loss. */
  float learn(Images images, int i, float[] gradient) {
    int label = images.labels()[i];
    forward(images, i);
    float loss = softmaxError(label);
    Arrays.fill(hiddenError, 0);
    for (int o = 0; o < OUTPUTS; o++) {
      int row = OUTPUT_WEIGHTS + o * HIDDEN;
      addScaled(gradient, row, hidden, 0, scores[o]);
      addScaled(hiddenError, 0, weights, row, scores[o]);
      gradient[OUTPUT_BIAS + o] += scores[o];
    }
    for (int h = 0; h < HIDDEN; h++) {
      hiddenError[h] = hidden[h] > 0 ? hiddenError[h] : 0;
    }
    for (int p = 0; p < INPUTS; p++) {
      addScaled(gradient, p * HIDDEN, hiddenError, 0, input[p]);
    }
    addScaled(gradient, HIDDEN_BIAS, hiddenError, 0, 1);
    return loss;
  }

  boolean isRight(Images images, int i) {
    forward(images, i);
    int best = 0;
    for (int o = 1; o < OUTPUTS; o++) {
      best = scores[o] > scores[best] ? o : best;
    }
    return best == images.labels()[i];
  }

  /** Makes one step of gradient descent; {@code gradient} is the sum over {@code images} images. */
  void step(float[] gradient, int images, float rate, float momentum, float decay) {
    float scale = 1f / images;
    for (int i = 0; i < SIZE; i++) {
      velocity[i] = momentum * velocity[i] - rate * (scale * gradient[i] + decay * weights[i]);
      weights[i] += velocity[i];
    }
  }

  private void forward(Images images, int i) {
    images.copyTo(i, input);
    System.arraycopy(weights, HIDDEN_BIAS, hidden, 0, HIDDEN);
    for (int p = 0; p < INPUTS; p++) {
      addScaled(hidden, 0, weights, p * HIDDEN, input[p]);
    }
    for (int h = 0; h < HIDDEN; h++) {
      hidden[h] = Math.max(0, hidden[h]);
    }
    for (int o = 0; o < OUTPUTS; o++) {
      float score = weights[OUTPUT_BIAS + o];
      for (int h = 0; h < HIDDEN; h++) {
        score += hidden[h] * weights[OUTPUT_WEIGHTS + o * HIDDEN + h];
      }
      scores[o] = score;
    }
  }

  /** Replaces the scores by their errors (probability − truth) and returns the cross-entropy. */
  private float softmaxError(int label) {
    float highest = scores[0];
    for (float score : scores) {
      highest = Math.max(highest, score);
    }
    double sum = 0;
    for (int o = 0; o < OUTPUTS; o++) {
      scores[o] = (float) StrictMath.exp(scores[o] - highest);
      sum += scores[o];
    }
    float loss = (float) -StrictMath.log(scores[label] / sum);
    for (int o = 0; o < OUTPUTS; o++) {
      scores[o] = (float) (scores[o] / sum) - (o == label ? 1 : 0);
    }
    return loss;
  }

  /** Adds one row, {@code to[t…] += factor · from[f…]}. Takes nearly all of the training time. */
  private static void addScaled(float[] to, int t, float[] from, int f, float factor) {
    for (int h = 0; h < HIDDEN; h++) {
      to[t + h] += factor * from[f + h];
    }
  }
}
