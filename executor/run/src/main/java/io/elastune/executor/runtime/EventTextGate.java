package io.elastune.executor.runtime;

import io.elastune.core.text.VisibleText;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.SecretMask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The gate for text that trials, nodes and clouds have written. Every event passes it before it is
 * decided and journaled, so no engine or provider has to. In names and messages, the values of
 * secrets are masked, characters that are not shown ({@link VisibleText}) are escaped in names and
 * blank in messages, and the length is limited. Used on one thread.
 */
final class EventTextGate {
  /** The longest name of a metric, in characters. */
  static final int MOST_NAME = 200;

  /** The longest message, in characters: a cause with the last lines of a log. */
  static final int MOST_MESSAGE = 8000;

  /** The most metrics of one report. */
  static final int MOST_METRICS = 1000;

  /** The names that are kept: trials report the same ones again and again. */
  private static final int MOST_KNOWN = 10_000;

  private static final String CUT = "…";

  private final SecretMask mask;
  private final Map<String, String> names = new HashMap<>();

  EventTextGate(SecretMask mask) {
    this.mask = mask;
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
    Map<String, Double> metrics = new LinkedHashMap<>();
    List<String> left = report.metrics().keySet().stream().sorted().toList();
    // Of names that become equal, the first one counts.
    left.stream()
        .limit(MOST_METRICS)
        .forEach(name -> metrics.putIfAbsent(name(name), report.metrics().get(name)));
    List<EngineEvent> passed = new ArrayList<>();
    passed.add(
        new EngineEvent.Reported(
            report.attempt(), report.unit(), metrics, report.done(), report.at()));
    if (left.size() > MOST_METRICS) {
      passed.add(
          new EngineEvent.Faulted(
              report.attempt(),
              "reported "
                  + left.size()
                  + " metrics, of which the first "
                  + MOST_METRICS
                  + " in alphabetical order are kept",
              report.at()));
    }
    return passed;
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
