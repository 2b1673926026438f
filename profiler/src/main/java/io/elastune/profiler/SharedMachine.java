package io.elastune.profiler;

import io.elastune.core.profile.MachineLoad;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.time.Seconds;
import io.elastune.executor.journal.AttemptRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What is known of measurements on the machine of the controller, which other programs use, too.
 * Trials that ran at the same time had the same load, so they are one observation of it.
 *
 * @param cores the cores of the machine
 * @param otherCores the mean number of cores that other programs used; empty if it is unknown
 */
public record SharedMachine(int cores, OptionalDouble otherCores) {
  /** The number of a profile with the load of other programs. */
  public static final String OTHER_CORES = "other_cores";

  /** By how much runs on an otherwise idle machine differ from their profile. */
  private static final double IDLE_CV = 0.04;

  /** The same if other programs use all cores: their demand changes, and so does the scheduling. */
  private static final double BUSY_CV = 0.15;

  /** A trial that starts within this part of the duration of another one ran at the same time. */
  private static final double SAME_START = 0.25;

  /** Less than this part of the cores is no load. */
  private static final double NOTICEABLE = 0.125;

  /** Beyond this part of the cores, they do not show how many threads others keep busy. */
  private static final double MOST_SHARE = 0.95;

  private static final double NORMAL = 1.959963984540054;

  /**
   * Returns the load beside which attempts ran; empty if others used less than an eighth of the
   * cores, or if it is unknown.
   *
   * @param coresOfGpu the cores that belong to a GPU or slot of the attempts
   */
  Optional<MachineLoad> load(List<AttemptRow> attempts, double coresOfGpu) {
    double others = Math.min(MOST_SHARE * cores, otherCores.orElse(0));
    double gpus = gpusAtOnce(attempts);
    return !isNoticeable(others, cores) || gpus == 0
        ? Optional.empty()
        : Optional.of(new MachineLoad(cores, others, gpus * coresOfGpu));
  }

  /** Returns whether a load of so many cores by other programs is worth mentioning. */
  public static boolean isNoticeable(double otherCores, int cores) {
    return otherCores >= NOTICEABLE * cores;
  }

  /** Returns how many GPUs had attempts while an attempt ran, on average over their seconds. */
  static double gpusAtOnce(List<AttemptRow> attempts) {
    TreeMap<Instant, Integer> changes = new TreeMap<>();
    for (AttemptRow attempt : attempts) {
      attempt
          .ended()
          .ifPresent(
              end -> {
                changes.merge(attempt.started(), attempt.places().size(), Integer::sum);
                changes.merge(end, -attempt.places().size(), Integer::sum);
              });
    }
    double squares = 0;
    double sum = 0;
    int busy = 0;
    Instant since = Instant.EPOCH;
    for (Map.Entry<Instant, Integer> change : changes.entrySet()) {
      double seconds = busy == 0 ? 0 : Seconds.between(since, change.getKey());
      squares += (double) busy * busy * seconds;
      sum += busy * seconds;
      busy += change.getValue();
      since = change.getKey();
    }
    return sum == 0 ? 0 : squares / sum;
  }

  /** Returns the coefficient of variation of the speed of a later run. */
  double runCv() {
    return IDLE_CV + (BUSY_CV - IDLE_CV) * share();
  }

  /** Returns the part of the cores that other programs used, at most 1; 0 if it is unknown. */
  private double share() {
    return Math.min(1, otherCores.orElse(0) / cores);
  }

  /**
   * Returns by how much a squared standard error is too small for what load does: trials that ran
   * at the same time had the same. Without load, they differ by themselves.
   */
  private double inflation(List<AttemptRow> attempts) {
    double perWave = (double) attempts.size() / Math.max(1, waves(attempts));
    return 1 + (Math.max(1, perWave) - 1) * share();
  }

  /** Returns the numbers, with those of durations as uncertain as the load makes them. */
  List<MeasuredNumber> uncertain(List<MeasuredNumber> numbers, List<AttemptRow> attempts) {
    double inflation = inflation(attempts);
    List<MeasuredNumber> all = new ArrayList<>();
    for (MeasuredNumber number : numbers) {
      all.add(isDuration(number.name()) ? uncertain(number, inflation) : number);
    }
    otherCores.ifPresent(used -> all.add(new MeasuredNumber(OTHER_CORES, used, 0, used, used, 1)));
    return all;
  }

  /** Returns the standard error of a duration with the same uncertainty. */
  double uncertain(double seconds, double standardError, List<AttemptRow> attempts) {
    return error(seconds, standardError, inflation(attempts));
  }

  private double error(double value, double standardError, double inflation) {
    return Math.sqrt(standardError * standardError * inflation + Math.pow(runCv() * value, 2));
  }

  private MeasuredNumber uncertain(MeasuredNumber number, double inflation) {
    double value = number.value();
    double error = error(value, number.standardError(), inflation);
    // The interval of few observations stays as wide as it is.
    double below = Math.hypot(value - number.low(), NORMAL * error);
    double above = Math.hypot(number.high() - value, NORMAL * error);
    double own = NORMAL * number.standardError();
    return new MeasuredNumber(
        number.name(),
        value,
        error,
        Math.max(0, value - withoutOwn(below, own)),
        value + withoutOwn(above, own),
        number.count());
  }

  /** The standard error is part of both ends already. */
  private static double withoutOwn(double width, double own) {
    return Math.sqrt(Math.max(0, width * width - own * own));
  }

  private static boolean isDuration(String name) {
    return name.startsWith("training.")
        || name.startsWith("sharing.")
        || name.equals("startup_s.mean");
  }

  /** Returns how many sets of trials began one after the other. */
  static int waves(List<AttemptRow> attempts) {
    List<AttemptRow> ordered =
        attempts.stream().sorted(Comparator.comparing(AttemptRow::started)).toList();
    int waves = 0;
    Instant until = Instant.MIN;
    for (AttemptRow attempt : ordered) {
      if (attempt.started().isAfter(until)) {
        waves++;
        Duration took =
            Duration.between(attempt.started(), attempt.ended().orElse(attempt.started()));
        until = attempt.started().plusMillis((long) (SAME_START * took.toMillis()));
      }
    }
    return waves;
  }
}
