package io.elastune.cli.inspect;

import io.elastune.cli.text.TextTable;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.time.Durations;
import io.elastune.core.time.Seconds;
import io.elastune.executor.journal.LeaseRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Renders every lease from its request to its termination, in time since the run started. */
final class LeaseTable {
  private static final String NONE = "–";

  private final RunRecord run;
  private final Instant began;

  LeaseTable(RunRecord run) {
    this.run = run;
    this.began = run.progress().began().orElse(run.progress().at());
  }

  /** Returns the table and, for notional prices, a line that nothing is charged. */
  List<String> lines() {
    if (run.leases().isEmpty()) {
      return List.of(" no instance was requested");
    }
    TextTable table =
        new TextTable()
            .left("lease")
            .left("offer")
            .right("requested")
            .right("running")
            .right("released")
            .right("duration");
    if (hasSpeeds()) {
      table.right("GPU copy");
    }
    table.right("cost");
    run.leases().forEach(leaseRow -> row(table, leaseRow));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add(" times are measured from the start of the run; lease N is " + run.run() + "-N");
    if (run.meta().notional()) {
      lines.add(" example (notional) prices: you will not be charged");
    }
    return lines;
  }

  private void row(TextTable table, LeaseRow leaseRow) {
    List<Object> cells = new ArrayList<>();
    cells.add(shortName(leaseRow.lease()));
    cells.add(leaseRow.offer());
    cells.add(since(Optional.of(leaseRow.requested())));
    cells.add(since(leaseRow.running()));
    cells.add(leaseRow.terminated().isEmpty() ? "not yet" : since(leaseRow.terminated()));
    cells.add(lasted(leaseRow));
    if (hasSpeeds()) {
      cells.add(speed(leaseRow.lease()));
    }
    cells.add(UsdFormat.format(leaseRow.usd()));
    table.row(cells.toArray());
  }

  private boolean hasSpeeds() {
    return !run.copyGbPerS().isEmpty();
  }

  private String speed(String lease) {
    return Optional.ofNullable(run.copyGbPerS().get(lease))
        .map(gbPerS -> String.format(Locale.ROOT, "%.0f GB/s", gbPerS))
        .orElse(NONE);
  }

  private String shortName(String lease) {
    String prefix = run.run() + "-";
    return lease.startsWith(prefix) ? lease.substring(prefix.length()) : lease;
  }

  private String since(Optional<Instant> moment) {
    return moment.map(at -> Durations.format(Seconds.between(began, at))).orElse(NONE);
  }

  private static String lasted(LeaseRow leaseRow) {
    return leaseRow.running().isPresent() && leaseRow.terminated().isPresent()
        ? Durations.format(Seconds.between(leaseRow.running().get(), leaseRow.terminated().get()))
        : NONE;
  }
}
