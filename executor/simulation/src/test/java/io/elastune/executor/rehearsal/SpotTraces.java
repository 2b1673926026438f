package io.elastune.executor.rehearsal;

import io.elastune.executor.simulation.CapacityTrace;
import io.elastune.executor.simulation.RandomStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Traces of spot capacity in several zones: synthetic ones, and files. A file is a CSV with the
 * header {@code seconds,ZONE,ZONE…}. Each row has the seconds since the first row and the available
 * share of each zone, from 0 to 1, until the next row. The last row ends the trace.
 *
 * @param name the name of the file or of the synthetic trace
 * @param zones the trace of each zone, all of the same length
 */
record SpotTraces(String name, List<CapacityTrace> zones) {
  private static final double HOUR_S = 3600;

  /** Length of a synthetic trace, in seconds. */
  private static final double LENGTH_S = 96 * HOUR_S;

  /** Returns a trace of two zones that are alternately available, each for random times. */
  static SpotTraces synthetic(String name, double availableMeanS, double outageMeanS) {
    RandomStream stream = RandomStream.of(1).substream("trace").substream(name);
    return new SpotTraces(
        name,
        IntStream.range(0, 2)
            .mapToObj(zone -> zone(stream.substream(zone), availableMeanS, outageMeanS))
            .toList());
  }

  private static CapacityTrace zone(RandomStream stream, double availableS, double outageS) {
    List<CapacityTrace.Change> changes = new ArrayList<>();
    boolean available = true;
    double atS = 0;
    while (atS < LENGTH_S) {
      changes.add(new CapacityTrace.Change(atS, available ? 1 : 0));
      atS += 1 + stream.exponential(available ? availableS : outageS);
      available = !available;
    }
    return new CapacityTrace(changes, LENGTH_S);
  }

  /** Returns the synthetic traces: calm, busy, and with little capacity. */
  static List<SpotTraces> synthetic() {
    return List.of(
        synthetic("calm", 6 * HOUR_S, 600),
        synthetic("busy", 1800, 600),
        synthetic("scarce", 1200, 2400));
  }

  /** Returns the traces of all files {@code *.csv} of a folder, by name. */
  static List<SpotTraces> of(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".csv"))
          .sorted()
          .map(SpotTraces::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static SpotTraces read(Path file) {
    try {
      return parse(file.getFileName().toString(), Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static SpotTraces parse(String name, List<String> lines) {
    int zones = lines.isEmpty() ? 0 : lines.get(0).split(",").length - 1;
    if (zones < 1 || !lines.get(0).startsWith("seconds,") || lines.size() < 3) {
      throw new IllegalArgumentException(
          name + ": needs the header 'seconds,ZONE[,ZONE]' and at least two rows");
    }
    List<double[]> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      rows.add(row(name, i + 1, lines.get(i), zones + 1));
    }
    return new SpotTraces(
        name, IntStream.rangeClosed(1, zones).mapToObj(zone -> zone(rows, zone)).toList());
  }

  private static double[] row(String name, int line, String text, int columns) {
    try {
      double[] row = Stream.of(text.split(",")).mapToDouble(Double::parseDouble).toArray();
      if (row.length == columns) {
        return row;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + ":" + line + ": not a number: " + text, e);
    }
    throw new IllegalArgumentException(name + ":" + line + ": needs " + columns + " columns");
  }

  private static CapacityTrace zone(List<double[]> rows, int zone) {
    double startS = rows.get(0)[0];
    List<CapacityTrace.Change> changes = new ArrayList<>();
    double share = -1;
    for (double[] row : rows.subList(0, rows.size() - 1)) {
      if (row[zone] != share) {
        share = row[zone];
        changes.add(new CapacityTrace.Change(row[0] - startS, share));
      }
    }
    return new CapacityTrace(changes, rows.get(rows.size() - 1)[0] - startS);
  }
}
