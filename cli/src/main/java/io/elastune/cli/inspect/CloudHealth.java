package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.text.CloudHealthText;
import io.elastune.core.time.Durations;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.plan.json.KeyIfPresent;
import io.elastune.provisioner.CloudImpairment;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The impairments of the clouds of a run, in the order in which they began.
 *
 * @param ended those that are over
 * @param present those that exist in a run in progress
 */
record CloudHealth(List<Impaired> ended, List<Impaired> present) {
  CloudHealth {
    ended = List.copyOf(ended);
    present = List.copyOf(present);
  }

  /**
   * One impairment.
   *
   * @param row the decision that recorded it
   * @param until when it ended; for one that exists, the time of the run's last change
   */
  record Impaired(DecisionRow row, Instant until) {
    private String infra() {
      return row.reason().details().get(0);
    }

    private CloudImpairment impairment() {
      return CloudHealthText.impairment(row.reason());
    }

    private Instant since() {
      return impairment() == CloudImpairment.LOGIN_EXPIRING
          ? row.at()
          : CloudHealthText.since(row.reason());
    }

    private HealthDocument document(boolean isOver, Instant now) {
      return new HealthDocument(
          infra(),
          impairment().label(),
          since(),
          isOver ? Optional.of(until) : Optional.empty(),
          CloudHealthText.impaired(row.reason(), row.numbers(), now));
    }
  }

  /** An impairment of a cloud. */
  record HealthDocument(
      @JsonPropertyDescription("The place whose calls are impaired, or controller.") String infra,
      @JsonPropertyDescription(
              "login_expiring, login_expired, throttled, unreachable, termination_unconfirmed or"
                  + " disk_low.")
          String state,
      @JsonPropertyDescription("Since when.") Instant since,
      @KeyIfPresent @JsonPropertyDescription("When it ended, if it has.") Optional<Instant> until,
      @JsonPropertyDescription("What it means, and what to do.") String message) {}

  static CloudHealth of(RunRecord run) {
    Map<String, DecisionRow> open = new LinkedHashMap<>();
    List<Impaired> ended = new ArrayList<>();
    for (DecisionRow row : run.decisions()) {
      if (row.kind() == DecisionKind.RESUME) {
        open.values().forEach(some -> ended.add(new Impaired(some, row.at())));
        open.clear();
      } else if (row.kind() == DecisionKind.CLOUD_HEALTH) {
        DecisionRow before = open.remove(key(row));
        if (before != null) {
          ended.add(new Impaired(before, row.at()));
        }
        if (row.reason().code() == ReasonCode.CLOUD_IMPAIRED) {
          open.put(key(row), row);
        }
      }
    }
    Instant last = run.progress().at();
    List<Impaired> rest = open.values().stream().map(row -> new Impaired(row, last)).toList();
    if (run.finished()) {
      ended.addAll(rest);
    }
    return new CloudHealth(ended, run.finished() ? List.of() : rest);
  }

  private static String key(DecisionRow row) {
    return String.join(" ", row.reason().details().subList(0, 2));
  }

  /** Returns one line for each impairment that exists. */
  List<String> presentLines(Instant now) {
    return present.stream()
        .map(some -> CloudHealthText.impaired(some.row().reason(), some.row().numbers(), now))
        .toList();
  }

  /** Returns one line for each impairment that is over, with its time. */
  List<String> endedLines() {
    return ended.stream()
        .map(
            some ->
                some.infra()
                    + ": "
                    + some.impairment().label()
                    + " from "
                    + CloudHealthText.moment(some.since())
                    + " for "
                    + Durations.format(
                        Duration.between(some.since(), some.until())
                            .truncatedTo(ChronoUnit.SECONDS)))
        .toList();
  }

  /** Returns the documents of those that exist. */
  List<HealthDocument> presentDocuments(Instant now) {
    return present.stream().map(some -> some.document(false, now)).toList();
  }

  /** Returns the documents of all. */
  List<HealthDocument> allDocuments(Instant now) {
    List<HealthDocument> all = new ArrayList<>();
    ended.forEach(some -> all.add(some.document(true, now)));
    all.addAll(presentDocuments(now));
    return all;
  }
}
