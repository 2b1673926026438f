package io.elastune.inputs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Published ratios of the training throughput of GPU models. They differ widely between programs,
 * so each ratio states its range.
 */
public final class GpuRatios {
  private static final String TABLE = "/io/elastune/inputs/gpu-ratios.csv";

  /**
   * How much faster one GPU model trains than another.
   *
   * @param from the model of which a time is known
   * @param to the other model
   * @param mean the geometric mean over the measured programs
   * @param least the ratio of the program that gains least
   * @param most the ratio of the program that gains most
   * @param programs the number of measured programs
   * @param source the publication and its year
   */
  public record Ratio(
      String from, String to, double mean, double least, double most, int programs, String source) {
    private Ratio inverse() {
      return new Ratio(to, from, 1 / mean, 1 / most, 1 / least, programs, source);
    }

    /** Returns e.g. {@code V100 trains 1.06 times as fast as P100 (0.43 to 1.84, …)}. */
    public String text() {
      return String.format(
          Locale.ROOT,
          "%s trains %.2f times as fast as %s (%.2f to %.2f in %d programs, %s)",
          to,
          mean,
          from,
          least,
          most,
          programs,
          source);
    }
  }

  private final List<Ratio> ratios;

  private GpuRatios(List<Ratio> ratios) {
    this.ratios = ratios;
  }

  /** Returns the ratios that Elastune ships. */
  public static GpuRatios shipped() {
    try (InputStream stream = GpuRatios.class.getResourceAsStream(TABLE)) {
      if (stream == null) {
        throw new IllegalStateException(TABLE + " is missing from the class path");
      }
      String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      return new GpuRatios(
          text.lines().filter(line -> !line.startsWith("#")).map(GpuRatios::row).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Ratio row(String line) {
    String[] cells = line.split(",", -1);
    return new Ratio(
        cells[0],
        cells[1],
        Double.parseDouble(cells[2]),
        Double.parseDouble(cells[3]),
        Double.parseDouble(cells[4]),
        Integer.parseInt(cells[5]),
        cells[6]);
  }

  /** Returns the ratio to {@code gpu} with the smallest range from any of {@code known}. */
  public Optional<Ratio> to(String gpu, List<String> known) {
    return ratios.stream()
        .flatMap(ratio -> Stream.of(ratio, ratio.inverse()))
        .filter(ratio -> ratio.to().equalsIgnoreCase(gpu))
        .filter(ratio -> known.stream().anyMatch(ratio.from()::equalsIgnoreCase))
        .min(Comparator.comparingDouble(ratio -> ratio.most() / ratio.least()));
  }
}
