package io.elastune.executor.runtime;

import io.elastune.core.text.VisibleText;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.SecretMask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The gate for text that trials, nodes and clouds have written. Every event passes it before it is
 * decided and journaled, so no engine or provider has to. In names and messages, the values of
 * secrets are masked, characters that are not shown ({@link VisibleText}) are escaped in names and
 * blank in messages, and the length is limited. So is the size of the journal: of a trial with many
 * metrics, only that of the search is kept after some megabytes. Used on one thread.
 */
final class EventTextGate {
  /** The longest name of a metric, in characters. */
  static final int MOST_NAME = 200;

  /** The longest message, in characters: a cause with the last lines of a log. */
  static final int MOST_MESSAGE = 8000;

  /** The most metrics of one report. */
  static final int MOST_METRICS = 1000;

  /** The bytes of the reports of one trial after which only the metric of the search is kept. */
  static final long MOST_TRIAL_BYTES = 8L << 20;

  /** The same of all trials. */
  static final long MOST_BYTES = 512L << 20;

  /** The bytes of a report, and of a number, beside the names. */
  private static final int REPORT_BYTES = 200;

  private static final int NUMBER_BYTES = 24;

  /** The names that are kept: trials report the same ones again and again. */
  private static final int MOST_KNOWN = 10_000;

  private static final String CUT = "…";

  private final SecretMask mask;
  private final String metric;
  private final Map<String, String> names = new HashMap<>();
  private final Map<Integer, Long> trialBytes = new HashMap<>();
  private final Set<Integer> limited = new HashSet<>();
  private long bytes;

  /**
   * Creates a gate.
   *
   * @param mask the secrets of the job
   * @param metric the name of the metric of the search, which is always kept
   */
  EventTextGate(SecretMask mask, String metric) {
    this.mask = mask;
    this.metric = metric;
  }

  /** Returns the events that may be decided and journaled instead of {@code event}. */
  List<RunEvent> pass(RunEvent event) {
    if (event instanceof RunEvent.FromEngine engine) {
      return pass(engine.event()).stream().<RunEvent>map(RunEvent.FromEngine::new).toList();
    }
    if (event instanceof RunEvent.FromCloud cloud) {
      return List.of(new RunEvent.FromCloud(pass(cloud.event())));
    }
    if (event instanceof RunEvent.Configured answer && !answer.error().isEmpty()) {
      return List.of(
          new RunEvent.Configured(
              answer.request(), answer.configs(), message(answer.error()), answer.at()));
    }
    return List.of(event);
  }

  private List<EngineEvent> pass(EngineEvent event) {
    if (event instanceof EngineEvent.Reported reported) {
      return passReport(reported);
    }
    if (event instanceof EngineEvent.Faulted faulted) {
      return List.of(
          new EngineEvent.Faulted(faulted.attempt(), message(faulted.message()), faulted.at()));
    }
    return List.of(
        event instanceof EngineEvent.Ended ended
            ? ended.withMessage(message(ended.message()))
            : event);
  }

  private List<EngineEvent> passReport(EngineEvent.Reported report) {
    int trial = AttemptState.trialOf(report.attempt());
    int most = limited.contains(trial) ? 1 : MOST_METRICS;
    Map<String, Double> metrics = new LinkedHashMap<>();
    // Of names that become equal, the first one counts.
    report.metrics().keySet().stream()
        .sorted(Comparator.comparing((String name) -> !name.equals(metric)).thenComparing(n -> n))
        .limit(most)
        .filter(name -> most > 1 || name.equals(metric))
        .forEach(name -> metrics.putIfAbsent(name(name), report.metrics().get(name)));
    List<EngineEvent> passed = new ArrayList<>();
    passed.add(
        new EngineEvent.Reported(
            report.attempt(), report.unit(), metrics, report.done(), report.at()));
    if (most > 1 && report.metrics().size() > most) {
      passed.add(
          new EngineEvent.Faulted(
              report.attempt(),
              "reported " + report.metrics().size() + " metrics, of which " + most + " are kept",
              report.at()));
    }
    if (isOverLimit(trial, metrics.keySet()) && limited.add(trial)) {
      passed.add(
          new EngineEvent.Faulted(
              report.attempt(),
              "its metrics fill the journal: from now on, only " + metric + " is kept",
              report.at()));
    }
    return passed;
  }

  /** Counts a report, and returns whether the reports of the trial or of all are too large. */
  private boolean isOverLimit(int trial, Set<String> reported) {
    long size = REPORT_BYTES + reported.stream().mapToLong(n -> n.length() + NUMBER_BYTES).sum();
    bytes += size;
    return trialBytes.merge(trial, size, Long::sum) > MOST_TRIAL_BYTES || bytes > MOST_BYTES;
  }

  private CloudEvent pass(CloudEvent event) {
    if (event instanceof CloudEvent.Refused e) {
      return new CloudEvent.Refused(e.lease(), e.refusal(), message(e.message()), e.at());
    }
    if (event instanceof CloudEvent.LaunchFailed e) {
      return new CloudEvent.LaunchFailed(e.lease(), e.zone(), message(e.message()), e.at());
    }
    if (event instanceof CloudEvent.PreparationFailed e) {
      return new CloudEvent.PreparationFailed(e.lease(), e.step(), message(e.message()), e.at());
    }
    if (event instanceof CloudEvent.Leaving e) {
      return new CloudEvent.Leaving(e.lease(), message(e.message()), e.at());
    }
    if (event instanceof CloudEvent.Lost e) {
      return new CloudEvent.Lost(e.lease(), e.loss(), message(e.message()), e.at());
    }
    return event instanceof CloudEvent.HealthChanged e
        ? new CloudEvent.HealthChanged(
            e.infra(), e.impairment(), e.present(), message(e.message()), e.since(), e.at())
        : event;
  }

  /** Returns a name of a metric. */
  private String name(String given) {
    if (names.size() > MOST_KNOWN) {
      names.clear();
    }
    return names.computeIfAbsent(
        given, name -> cut(VisibleText.escape(mask.mask(name)), MOST_NAME));
  }

  /** Returns a message, whose lines stay lines. */
  private String message(String given) {
    UnaryOperator<String> clean = line -> VisibleText.blank(mask.mask(line));
    return cut(given.lines().map(clean).collect(Collectors.joining("\n")), MOST_MESSAGE);
  }

  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end) + CUT;
  }
}
