package io.elastune.profiler;

import io.elastune.core.Spread;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.profiler.AttemptTimes.ReportedStartup;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The start-up of attempts. The first unit of an attempt is not measured by itself, so its spread
 * is part of the measured start-ups; it does not count as spread of the start-up.
 */
final class StartupFit {
  private final List<MeasuredStartup> cold;
  private final List<MeasuredStartup> warm;
  private final double unitCv;

  StartupFit(List<SizeFit> sizes, double unitCv) {
    cold = startups(sizes, true);
    warm = startups(sizes, false);
    this.unitCv = unitCv;
  }

  private static List<MeasuredStartup> startups(List<SizeFit> sizes, boolean cold) {
    return sizes.stream()
        .filter(SizeFit::separated)
        .flatMap(size -> size.startups(cold).stream())
        .toList();
  }

  private List<MeasuredStartup> used() {
    return warm.isEmpty() ? cold : warm;
  }

  /** Returns the seconds that the first attempts on an instance took in addition. */
  double coldExtraS() {
    return cold.isEmpty() || warm.isEmpty() ? 0 : Math.max(0, mean(cold) - mean(warm));
  }

  /** Returns mean and spread of the start-up; both are 0 if it is unknown. */
  Spread spread() {
    double mean = used().isEmpty() ? 0 : Math.max(0, mean(used()));
    return mean == 0 ? Spread.NONE : new Spread(mean, Math.sqrt(variance(mean)) / mean);
  }

  private double variance(double mean) {
    int freedom = used().size() - 1;
    if (freedom == 0) {
      return 0;
    }
    double squares = used().stream().mapToDouble(one -> Math.pow(one.seconds() - mean, 2)).sum();
    double noise =
        unitCv
            * unitCv
            * used().stream().mapToDouble(MeasuredStartup::noise).average().orElseThrow();
    return Math.max(0, squares / freedom - noise);
  }

  /** Returns the numbers whose accuracy is known. */
  List<MeasuredNumber> numbers() {
    List<MeasuredNumber> numbers = new ArrayList<>();
    add(numbers, "startup_s.mean", values(MeasuredStartup::seconds));
    add(numbers, "startup_s.warm_up", values(MeasuredStartup::warmUpS));
    add(numbers, "startup_s.process", reported(ReportedStartup::processS));
    add(numbers, "startup_s.data", reported(ReportedStartup::dataS));
    return numbers;
  }

  private static void add(List<MeasuredNumber> numbers, String name, List<Double> values) {
    if (values.size() > 1 && values.stream().mapToDouble(v -> v).sum() > 0) {
      numbers.add(NumberEstimate.logNormalMean(values).named(name));
    }
  }

  private List<Double> values(ToDoubleFunction<MeasuredStartup> part) {
    return used().stream().map(one -> part.applyAsDouble(one)).toList();
  }

  private List<Double> reported(Function<ReportedStartup, OptionalDouble> part) {
    return used().stream().flatMap(one -> part.apply(one.reported()).stream().boxed()).toList();
  }

  private static double mean(List<MeasuredStartup> startups) {
    return startups.stream().mapToDouble(MeasuredStartup::seconds).average().orElseThrow();
  }
}
