package io.elastune.cli.html;

import io.elastune.cli.inspect.AttemptWidths;
import io.elastune.cli.inspect.RunRecord;
import io.elastune.core.time.Seconds;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.LeaseRow;
import io.elastune.executor.journal.ReportRow;
import io.elastune.executor.journal.RunReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The timeline of a run from its journal. Times are in seconds since the run started.
 *
 * @param attempts in order of their start
 * @param reports in order of arrival
 */
record RunHistory(RunRecord run, List<AttemptRow> attempts, List<ReportRow> reports) {
  /** With more attempts than this, they would be too small to distinguish and are not drawn. */
  static final int MOST_ATTEMPTS = 4000;

  RunHistory {
    attempts = List.copyOf(attempts);
    reports = List.copyOf(reports);
  }

  /** Reads the attempts and reports of {@code run}. */
  static RunHistory of(RunRecord run) {
    try (RunReader reader = RunReader.open(run.folder())) {
      return new RunHistory(run, reader.attempts(), reader.reports());
    }
  }

  /** Returns the GPUs of the attempts, if a policy divides the instances. */
  AttemptWidths widths() {
    boolean many = attempts.size() > MOST_ATTEMPTS;
    return new AttemptWidths(run, many ? List.of() : attempts);
  }

  /** Returns the seconds from the start of the run to {@code moment}. */
  double at(Instant moment) {
    return Seconds.between(run.progress().began().orElse(moment), moment);
  }

  /** Returns the same; for an empty {@code moment}, the time of the last journal entry. */
  double at(Optional<Instant> moment) {
    return at(moment.orElse(run.progress().at()));
  }

  /** Returns the end of the timeline in seconds, at least 1. */
  double end() {
    double end = run.leases().stream().mapToDouble(this::terminatedAt).max().orElse(0);
    double began = run.progress().began().isPresent() && !run.finished() ? at(Optional.empty()) : 0;
    return Math.max(1, Math.max(Math.max(end, began), run.completionS().orElse(0)));
  }

  /** Returns when a lease was terminated; the time of the last journal entry if it is not. */
  double terminatedAt(LeaseRow leaseRow) {
    return at(leaseRow.terminated());
  }
}
