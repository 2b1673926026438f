package io.elastune.cli.screen;

import io.elastune.core.time.Durations;
import io.elastune.simulator.Cause;
import io.elastune.simulator.Contributions;
import io.elastune.simulator.Contributions.GroupTime;
import io.elastune.simulator.Contributions.Saving;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Where a plan's time goes, and what would help most, in words. */
public final class TimeUse {
  /** Below this part of the completion a cause is not worth a word. */
  private static final double WORTH_A_WORD = 0.005;

  private final Contributions contributions;
  private final String mark;

  /**
   * The words for {@code contributions}.
   *
   * @param mark what stands before a number that rests on assumed ones; empty for measured ones
   */
  public TimeUse(Contributions contributions, String mark) {
    this.contributions = contributions;
    this.mark = mark;
  }

  private record Part(String name, double seconds) {}

  /** Two lines. */
  public List<String> lines() {
    return List.of("where the time goes: " + spent(), "what would help: " + help());
  }

  /** The parts of the critical path, the greatest first: {@code training 71% · boot 9%}. */
  public String spent() {
    List<Part> parts = new ArrayList<>();
    parts.add(new Part("training", sum(GroupTime::trainingS)));
    parts.add(new Part(Cause.STRAGGLERS.word(), sum(GroupTime::stragglingS)));
    parts.add(new Part(Cause.BOOT.word(), sum(GroupTime::bootS)));
    parts.add(new Part(Cause.QUEUEING.word(), sum(GroupTime::queueS)));
    parts.add(new Part(Cause.STARTUP.word(), sum(GroupTime::startupS)));
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

  /** The causes without which it would end sooner: {@code without boot 1m sooner}. */
  public String help() {
    String help =
        contributions.wouldHelp().stream()
            .filter(saving -> saving.soonerS() > 0 && matters(saving.soonerS()))
            .map(this::words)
            .collect(Collectors.joining(" · "));
    return help.isEmpty() ? "nothing but faster training" : help;
  }

  private String words(Saving saving) {
    return "without %s %s%s sooner"
        .formatted(saving.cause().word(), mark, Durations.format(saving.soonerS()));
  }

  private boolean matters(double seconds) {
    return Math.abs(seconds) >= WORTH_A_WORD * contributions.completionS();
  }

  private double sum(ToDoubleFunction<GroupTime> part) {
    return contributions.byGroup().stream().mapToDouble(part).sum();
  }

  private String share(double seconds) {
    return Percent.share(seconds / contributions.completionS());
  }
}
