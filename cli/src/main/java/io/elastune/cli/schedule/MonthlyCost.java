package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.schedule.StartRecord.RunCost;
import io.elastune.cli.schedule.StartRecord.State;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Computes the cost of the runs that a schedule started in one calendar month. It reads their
 * journals; the log of the schedule has the cost of runs that were removed since.
 */
final class MonthlyCost {
  private final CliEnvironment cliEnvironment;
  private final RunCosts costs;

  MonthlyCost(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
    this.costs = new RunCosts(cliEnvironment);
  }

  /**
   * The cost in one month.
   *
   * @param knownUsd the cost of the runs that is known, in USD
   * @param unknown the runs whose cost is unknown
   */
  record Spent(double knownUsd, List<String> unknown) {
    Spent {
      unknown = List.copyOf(unknown);
    }

    /** Returns the cost; empty if that of a run is unknown. */
    OptionalDouble usd() {
      return unknown.isEmpty() ? OptionalDouble.of(knownUsd) : OptionalDouble.empty();
    }
  }

  /** Returns the time zone of this machine, in which schedules start and months begin. */
  static ZoneId zone(CliEnvironment cliEnvironment) {
    Optional<String> zone =
        cliEnvironment.variable("TZ").filter(ZoneId.getAvailableZoneIds()::contains);
    return zone.map(ZoneId::of).orElseGet(ZoneId::systemDefault);
  }

  /** Returns the month of a moment. */
  YearMonth month(Instant moment) {
    return YearMonth.from(moment.atZone(zone(cliEnvironment)));
  }

  /** Returns the cost of the runs in {@code history} that were started in {@code month}. */
  Spent spent(List<StartRecord> history, YearMonth month) {
    Map<String, OptionalDouble> stated = stated(history);
    double knownUsd = 0;
    List<String> unknown = new ArrayList<>();
    for (StartRecord start : history) {
      if (start.hasRun() && month(start.at()).equals(month)) {
        for (RunCost logged : start.runs()) {
          OptionalDouble usd =
              usd(logged, stated.getOrDefault(logged.run(), OptionalDouble.empty()));
          knownUsd += usd.orElse(0);
          if (usd.isEmpty()) {
            unknown.add(logged.run());
          }
        }
      }
    }
    return new Spent(knownUsd, unknown);
  }

  /** Returns what the user has stated, the latest statement of each run. */
  private static Map<String, OptionalDouble> stated(List<StartRecord> history) {
    Map<String, OptionalDouble> stated = new HashMap<>();
    for (StartRecord line : history) {
      if (line.state() == State.COST) {
        line.runs().forEach(cost -> stated.put(cost.run(), cost.usd()));
      }
    }
    return stated;
  }

  /**
   * Returns the cost of a run: that of its journal, or else what the user has stated, or that in
   * the log of a run that was removed. The log is no answer if a journal cannot be read, because
   * the run may have been resumed since.
   */
  private OptionalDouble usd(RunCost logged, OptionalDouble stated) {
    Optional<RunCosts.Reading> reading = costs.read(logged.run());
    boolean known = stated.isEmpty() || reading.filter(RunCosts.Reading::exact).isPresent();
    if (known) {
      return reading.map(RunCosts.Reading::usd).orElse(logged.usd());
    }
    double least = reading.map(RunCosts.Reading::leastUsd).orElse(0.0);
    return OptionalDouble.of(Math.max(least, stated.getAsDouble()));
  }
}
