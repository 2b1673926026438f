package io.elastune.cli.text;

import io.elastune.core.time.Durations;
import io.elastune.simulator.Contributions;
import io.elastune.simulator.Contributions.GroupTime;
import io.elastune.simulator.Contributions.Saving;
import io.elastune.simulator.DelayCause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Renders which causes use the time of a plan, and which savings would help most. */
public final class TimeBreakdown {
  /** Causes below this fraction of the completion time are omitted. */
  private static final double LEAST_FRACTION = 0.005;

  private final Contributions contributions;
  private final String mark;

  /**
   * Creates the text for {@code contributions}.
   *
   * @param mark prefix of numbers that depend on assumed values; empty if all were measured
   */
  public TimeBreakdown(Contributions contributions, String mark) {
    this.contributions = contributions;
    this.mark = mark;
  }

  private record Part(String name, double seconds) {}

  /** Returns two lines; none if there are no contributions. */
  public List<String> lines() {
    return contributions.byGroup().isEmpty()
        ? List.of()
        : List.of("where the time goes: " + shares(), "what would help: " + savings());
  }

  /** Returns the shares of the critical path, the largest first: {@code training 71% · boot 9%}. */
  public String shares() {
    List<Part> parts = new ArrayList<>();
    parts.add(new Part("training", sum(GroupTime::trainingS)));
    parts.add(new Part(DelayCause.STRAGGLERS.word(), sum(GroupTime::stragglingS)));
    parts.add(new Part(DelayCause.BOOT.word(), sum(GroupTime::bootS)));
    parts.add(new Part(DelayCause.QUEUEING.word(), sum(GroupTime::queueS)));
    parts.add(new Part(DelayCause.STARTUP.word(), sum(GroupTime::startupS)));
    return parts.stream()
            .filter(part -> matters(part.seconds()))
            .sorted(Comparator.comparingDouble(Part::seconds).reversed())
            .map(part -> part.name() + " " + mark + share(part.seconds()))
            .collect(Collectors.joining(" · "))
        + " of the critical path"
        + samples();
  }

  private String samples() {
    return contributions.samples() == 1
        ? ""
        : String.format(Locale.ROOT, ", %,d samples", contributions.samples());
  }

  /** Returns the time saved without each cause: {@code without boot 1m faster}. */
  public String savings() {
    String help =
        contributions.wouldHelp().stream()
            .filter(saving -> saving.soonerS() > 0 && matters(saving.soonerS()))
            .map(this::words)
            .collect(Collectors.joining(" · "));
    return help.isEmpty() ? "only faster training" : help;
  }

  private String words(Saving saving) {
    return "without %s %s%s faster"
        .formatted(saving.cause().word(), mark, Durations.format(saving.soonerS()));
  }

  private boolean matters(double seconds) {
    return Math.abs(seconds) >= LEAST_FRACTION * contributions.completionS();
  }

  private double sum(ToDoubleFunction<GroupTime> part) {
    return contributions.byGroup().stream().mapToDouble(part).sum();
  }

  private String share(double seconds) {
    return PercentFormat.share(seconds / contributions.completionS());
  }
}
