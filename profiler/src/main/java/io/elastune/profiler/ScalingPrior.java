package io.elastune.profiler;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * How training programs scale before any measurement: as one of those that ElasticFlow (Gu et al.,
 * ASPLOS 2023) has published, or, with a smaller probability, as none of them.
 */
final class ScalingPrior {
  private static final String TABLE = "scaling-prior.csv";

  /** The probability that a program is like none of the published ones. */
  private static final double OTHER = 0.25;

  /** The standard deviation of the fixed part from that of a published program. */
  private static final double FIXED_DEVIATION = 0.05;

  /** The standard deviation of the logarithm of the communication term from a published one. */
  private static final double COMMUNICATION_DEVIATION = 0.7;

  /** The least standard deviation of the communication term. */
  private static final double LEAST_COMMUNICATION = 0.005;

  /** The fixed part of other programs has the density of Beta(1, this). */
  private static final double FIXED_SHAPE = 6;

  /** The largest communication term of other programs, as a fraction of the time on one GPU. */
  private static final double MOST_COMMUNICATION = 0.25;

  private static final List<List<Shape>> PUBLISHED = read();

  private ScalingPrior() {}

  /**
   * The shape of a law.
   *
   * @param fixed the fraction of the time on one GPU that no further GPU shortens
   * @param communication what each doubling of the GPUs adds, as a fraction of that time
   */
  record Shape(double fixed, double communication) {}

  /** Draws a shape: a program and GPU model, then one of its batch sizes. */
  static Shape draw(RandomGenerator random) {
    if (random.nextDouble() < OTHER) {
      return new Shape(
          1 - Math.pow(random.nextDouble(), 1 / FIXED_SHAPE),
          MOST_COMMUNICATION * Math.pow(random.nextDouble(), 3));
    }
    List<Shape> program = PUBLISHED.get(random.nextInt(PUBLISHED.size()));
    Shape like = program.get(random.nextInt(program.size()));
    double communication =
        like.communication() * Math.exp(COMMUNICATION_DEVIATION * random.nextGaussian());
    return new Shape(
        Math.min(1, Math.abs(like.fixed() + FIXED_DEVIATION * random.nextGaussian())),
        communication + Math.abs(LEAST_COMMUNICATION * random.nextGaussian()));
  }

  private static List<List<Shape>> read() {
    try (InputStream stream = ScalingPrior.class.getResourceAsStream(TABLE)) {
      if (stream == null) {
        throw new IllegalStateException(TABLE + " is missing from the class path");
      }
      Map<String, List<Shape>> programs = new LinkedHashMap<>();
      new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(",", -1))
          .forEach(
              cells ->
                  programs
                      .computeIfAbsent(cells[0] + " " + cells[1], name -> new ArrayList<>())
                      .add(new Shape(Double.parseDouble(cells[3]), Double.parseDouble(cells[4]))));
      return List.copyOf(programs.values());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
