package io.elastune.cli.text;

import io.elastune.core.Spread;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.CheckpointMeasurement.Sampled;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.core.time.Durations;
import io.elastune.profiler.MeasuredProfile;
import io.elastune.profiler.MeasuredProfile.SizeAccuracy;
import io.elastune.profiler.ScalingLaw;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Renders what a profiling run has measured, and how accurately. */
public final class ProfileTable {
  /** Standard errors above this fraction of a unit's time get a warning. */
  private static final double INACCURATE = 0.1;

  private final MeasuredProfile measured;
  private final Profile profile;

  public ProfileTable(MeasuredProfile measured) {
    this.measured = measured;
    this.profile = measured.profile();
  }

  /** Returns the lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(table().lines());
    profile.secondsBySharing().forEach((count, unitS) -> lines.add(sharing(count, unitS)));
    lines.add(startup());
    spread().ifPresent(lines::add);
    lines.add(checkpoint());
    profile.memoryGb().ifPresent(gb -> lines.add(memory(gb)));
    profile.provisioning().forEach(times -> lines.add(provisioning(times)));
    measured.sizes().stream()
        .filter(size -> size.standardErrorS() > INACCURATE * unitS(size))
        .forEach(size -> lines.add(warning(size)));
    if (measured.sizes().stream().anyMatch(size -> size.units() < size.trials())) {
      lines.add(
          "not all trials count: the first one on an instance loads program and data, and is"
              + " slower");
    }
    if (measured.sizes().stream().allMatch(size -> size.trials() == 1)) {
      lines.add("one configuration was measured: differences between trials are unknown");
    }
    return lines.stream().map(line -> "  " + line).toList();
  }

  private TextTable table() {
    TextTable table =
        new TextTable()
            .right("workers")
            .right("time per " + profile.unit())
            .right("±")
            .right("speed-up")
            .right(Plural.of(profile.unit()))
            .right("trials");
    double first = unitS(measured.sizes().get(0));
    for (SizeAccuracy size : measured.sizes()) {
      table.row(
          size.gpus(),
          seconds(unitS(size)),
          size.standardErrorS() > 0 ? PercentFormat.gap(size.standardErrorS() / unitS(size)) : "-",
          String.format(Locale.ROOT, "%.2f", first / unitS(size)),
          size.units(),
          size.trials());
    }
    profile.measured().numbers().stream()
        .filter(number -> number.name().startsWith(ScalingLaw.MODELED))
        .forEach(number -> table.row(modeled(number, first)));
    return table;
  }

  /** A count that was not measured; plans do not use it. */
  private static Object[] modeled(MeasuredNumber number, double first) {
    return new Object[] {
      number.name().substring(ScalingLaw.MODELED.length()),
      "~" + seconds(number.value()),
      PercentFormat.gap(number.standardError() / number.value()),
      String.format(Locale.ROOT, "~%.2f", first / number.value()),
      "modeled",
      "-"
    };
  }

  private String sharing(int count, double unitS) {
    return count
        + " trials per GPU: "
        + seconds(unitS)
        + " per "
        + profile.unit()
        + profile
            .measured()
            .number("sharing." + count)
            .map(one -> " ± " + PercentFormat.gap(one.standardError() / one.value()))
            .orElse("")
        + " of each trial";
  }

  private double unitS(SizeAccuracy size) {
    return profile.secondsPerUnit(size.gpus()).orElseThrow();
  }

  private String startup() {
    return profile.startupKnown()
        ? "start-up of a trial, with checkpoint and shutdown: " + spread(profile.startupS())
        : "start-up unknown: included in the time per " + profile.unit();
  }

  private String checkpoint() {
    CheckpointMeasurement checkpoint = profile.checkpoint();
    List<String> values = new ArrayList<>();
    checkpoint.sizeGb().ifPresent(one -> values.add(size(one) + count(one)));
    checkpoint.saveS().ifPresent(one -> values.add("written in " + times(one)));
    checkpoint.storeS().ifPresent(one -> values.add("stored in " + times(one)));
    checkpoint.restoreS().ifPresent(one -> values.add("restored in " + times(one)));
    return values.isEmpty()
        ? "checkpoints: not measured"
        : "checkpoint: " + String.join(", ", values) + "; times are part of the start-up";
  }

  private static String memory(double gb) {
    return "peak memory of a worker: "
        + (gb < 1
            ? String.format(Locale.ROOT, "%.0f MB", gb * 1e3)
            : String.format(Locale.ROOT, "%.1f GB", gb));
  }

  private static String size(Sampled gb) {
    double mb = gb.mean() * 1e3;
    return mb >= 0.1 ? String.format(Locale.ROOT, "%.3g MB", mb) : "less than 0.1 MB";
  }

  private static String times(Sampled sampled) {
    return spread(new Spread(sampled.mean(), sampled.cv())) + count(sampled);
  }

  private static String count(Sampled sampled) {
    return " (n=" + sampled.samples() + ")";
  }

  /** Returns the spread of units, trials and instances, as far as it was measured. */
  private Optional<String> spread() {
    List<String> parts =
        Stream.of("unit", "trial", "instance")
            .flatMap(
                name ->
                    profile.measured().number(name + "_cv").stream()
                        .map(cv -> "of " + name + "s " + PercentFormat.gap(cv.value())))
            .toList();
    return parts.isEmpty() ? Optional.empty() : Optional.of("spread: " + String.join(", ", parts));
  }

  private static String provisioning(ProvisioningTimes times) {
    return times.offer()
        + ": queueing "
        + spread(times.queueS())
        + ", boot "
        + spread(times.bootS())
        + (times.setupS().mean() > 0 ? ", of which setup " + spread(times.setupS()) : "")
        + (times.imageS().mean() > 0 ? ", of which image " + spread(times.imageS()) : "")
        + " (n="
        + times.samples()
        + ")";
  }

  private String warning(SizeAccuracy size) {
    return "warning: the time per "
        + profile.unit()
        + " with "
        + (size.gpus() == 1 ? "1 worker" : size.gpus() + " workers")
        + " is known to ±"
        + PercentFormat.gap(size.standardErrorS() / unitS(size))
        + " only; profile again on an idle machine, or raise profile.max_time";
  }

  static String spread(Spread spread) {
    return seconds(spread.mean()) + (spread.cv() > 0 ? " ± " + PercentFormat.gap(spread.cv()) : "");
  }

  /** Returns short times with the digits that the user needs to compare them. */
  private static String seconds(double seconds) {
    return seconds >= 0.95
        ? Durations.format(seconds)
        : String.format(Locale.ROOT, "%.3gs", seconds);
  }
}
