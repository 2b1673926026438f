package io.elastune.executor.protocol;

import io.elastune.core.job.Metric;
import io.elastune.executor.decision.model.FailureCause;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.BestReport;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.SecretMask;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Converts what rank 0 writes to its report channel, or else the reports in its standard output,
 * into events. Of many reports per second only some are recorded ({@link ReportLimiter}), and
 * always the one for the last unit. Only the first violations of the protocol are reported one by
 * one; later ones are only counted.
 */
public final class AttemptReports {
  private static final int MAX_REPORTED_FAULTS = 5;
  private static final String TOO_LONG =
      FailureCause.TOO_LONG + " of " + ReportLine.MAX_BYTES / 1024 + " KiB: ";

  private final String attempt;
  private final SecretMask mask;
  private final Consumer<EngineEvent> events;
  private final OmittedMetrics omittedMetrics;
  private final ReportLimiter limiter = new ReportLimiter();
  private final int from;
  private final int to;
  private final Optional<Metric> metric;
  private final Set<Integer> needed;
  private final Optional<OutputMetric> output;

  /** Held while a line is read: the channel and the output have readers of their own. */
  private final Object reading = new Object();

  private final Runnable waiting;
  private EngineEvent.@Nullable Reported skipped;

  /** The report with the best value, if that is the one that counts. */
  private volatile Optional<BestReport> best;

  /** The same, as long as it was skipped. */
  private EngineEvent.@Nullable Reported skippedBest;

  /** The last report, without the metric that is found elsewhere. */
  private EngineEvent.@Nullable Reported held;

  private int faults;
  private volatile boolean channelUsed;
  private volatile boolean onErrors;
  private final AtomicInteger count = new AtomicInteger();
  private volatile int last;
  private volatile String problem = "";

  /** Why the metric is neither in the output nor in the file. */
  private volatile String missing = "";

  private volatile int highest;
  private volatile int doneAt = Integer.MAX_VALUE;

  /**
   * Creates the reader of an attempt.
   *
   * @param omittedMetrics the metrics of the run that were named already
   * @param events receives reports and faults
   */
  public AttemptReports(
      AttemptSpec spec, OmittedMetrics omittedMetrics, Consumer<EngineEvent> events) {
    this(spec, omittedMetrics, events, () -> {});
  }

  /**
   * Creates the reader of an attempt whose workers may wait.
   *
   * @param omittedMetrics the metrics of the run that were named already
   * @param events receives reports and faults
   * @param waiting runs after they have reported that they wait for units above {@code to}
   */
  public AttemptReports(
      AttemptSpec spec,
      OmittedMetrics omittedMetrics,
      Consumer<EngineEvent> events,
      Runnable waiting) {
    attempt = spec.attempt();
    mask = spec.mask();
    from = spec.from();
    to = spec.to();
    needed = spec.neededCheckpoints();
    best = spec.best();
    metric = spec.metric();
    output = metric.map(OutputMetric::new);
    this.omittedMetrics = omittedMetrics;
    this.events = events;
    this.waiting = waiting;
  }

  /**
   * Reads a line of standard output, in which a report may begin anywhere.
   *
   * @param line its bytes, of which the first {@code length} are used
   * @param cut whether the line is longer, and the rest is lost
   * @param at the time of the line
   * @return what belongs to the log: the line without its reports; empty if that is nothing
   */
  public Optional<byte[]> read(byte[] line, int length, boolean cut, Instant at) {
    if (!channelUsed && mayContainReport(line, length)) {
      String text = new String(line, 0, length, StandardCharsets.UTF_8);
      String rest = withoutReports(text, cut, at);
      if (!rest.equals(text)) {
        return MessageText.withoutEscapes(rest).isBlank()
            ? Optional.empty()
            : Optional.of(rest.getBytes(StandardCharsets.UTF_8));
      }
    }
    return Optional.of(Arrays.copyOf(line, length));
  }

  /**
   * Reads a line of the report channel. From then on, standard output has no reports. The prefix of
   * a report may be missing, and an empty line is none.
   */
  public void readChannel(byte[] line, int length, boolean cut, Instant at) {
    channelUsed = true;
    String text = new String(line, 0, length, StandardCharsets.UTF_8).strip();
    if (!text.isEmpty()) {
      boolean prefixed =
          text.startsWith(ReportLine.PREFIX)
              || (!text.startsWith("{") && text.contains(ReportLine.START));
      var unused = withoutReports(prefixed ? text : ReportLine.PREFIX + text, cut, at);
    }
  }

  /** Reads a line of standard error, on which reports do not count. */
  public void readErrors(byte[] line, int length) {
    if (indexOf(ReportLine.START, line, length) >= 0) {
      onErrors = true;
    }
  }

  /** Records that the log of standard error has reports, which do not count. */
  public void foundOnErrors() {
    onErrors = true;
  }

  private String withoutReports(String text, boolean cut, Instant at) {
    synchronized (reading) {
      StringBuilder rest = new StringBuilder();
      String invalid = "";
      boolean found = false;
      int next = 0;
      int start = text.startsWith(ReportLine.PREFIX) ? 0 : text.indexOf(ReportLine.START);
      while (start >= 0) {
        String here = text.substring(start);
        ReportParser.Parsed parsed = ReportParser.parseStart(here);
        if (parsed.line() instanceof ReportLine.Report report) {
          found = true;
          rest.append(text, next, start);
          next = start + parsed.length();
          read(report, at);
        } else if (parsed.line() instanceof ReportLine.Waiting now) {
          found = true;
          rest.append(text, next, start);
          next = start + parsed.length();
          if (now.unit() == to) {
            waiting.run();
          }
        } else if (here.startsWith(ReportLine.START) || invalid.isEmpty()) {
          invalid = here;
        }
        start = text.indexOf(ReportLine.START, start + parsed.length());
      }
      if (!invalid.isEmpty() && (!found || invalid.startsWith(ReportLine.START))) {
        invalid(invalid, cut, at);
      }
      return rest.append(text.substring(next)).toString();
    }
  }

  private void read(ReportLine.Report report, Instant at) {
    count.incrementAndGet();
    last = report.unit();
    highest = Math.max(highest, report.unit());
    if (report.done()) {
      doneAt = Math.min(doneAt, report.unit());
    }
    omittedMetrics.name(report.omitted()).forEach(message -> fault(mask.mask(message), at));
    reported(new EngineEvent.Reported(attempt, report.unit(), report.metrics(), report.done(), at));
  }

  /** Reads a line of the log of rank 0, in which the metric of the search may be. */
  public void readOutput(byte[] line, int length) {
    output.ifPresent(it -> it.line(new String(line, 0, length, StandardCharsets.UTF_8)));
  }

  /** Returns what was found in the output, if the metric of the search is known. */
  public Optional<OutputMetric> output() {
    return output;
  }

  /**
   * Reports the last unit, if the program has not and the metric of the search is in its output or
   * in a file. To be called after all workers have exited and everything is read.
   *
   * @param succeeded whether all workers have exited with 0 by themselves
   * @param file the file of the metric, if it has one
   */
  public void complete(boolean succeeded, Optional<MetricFile.Content> file, Instant at) {
    Optional<Map<String, Double>> found =
        succeeded ? output.flatMap(it -> find(it, file)) : Optional.empty();
    if (skippedBest != null && !skippedBest.equals(skipped().orElse(null))) {
      events.accept(skippedBest);
    }
    skippedBest = null;
    found
        .flatMap(any -> output)
        .flatMap(OutputMetric::skipped)
        .ifPresent(lines -> fault(mask.mask(lines), at));
    EngineEvent.Reported report = held;
    held = null;
    if (report != null) {
      Map<String, Double> metrics = new HashMap<>(found.orElse(Map.of()));
      metrics.putAll(report.metrics());
      events.accept(
          new EngineEvent.Reported(attempt, report.unit(), metrics, report.done(), report.at()));
    } else if (found.isPresent() && !hasReached(to) && doneAt == Integer.MAX_VALUE) {
      highest = to;
      events.accept(new EngineEvent.Reported(attempt, to, found.get(), false, at));
    }
  }

  private Optional<Map<String, Double>> find(
      OutputMetric found, Optional<MetricFile.Content> file) {
    String name = metric.orElseThrow().name();
    if (metric.orElseThrow().pattern().isPresent()) {
      missing = found.missing();
      return found.ofPattern();
    }
    if (file.isPresent()) {
      missing = file.get().problem();
      Optional<Map<String, Double>> metrics = found.ofFile(file.get().text());
      if (missing.isEmpty() && metrics.filter(it -> it.containsKey(name)).isEmpty()) {
        missing = metric.orElseThrow().from().orElse("") + found.missingInFile(file.get().text());
      }
      return metrics.filter(it -> it.containsKey(name));
    }
    missing = count.get() == 0 ? found.missing() : "";
    return count.get() == 0 ? found.ofLastLine() : Optional.empty();
  }

  private void reported(EngineEvent.Reported event) {
    boolean last = event.unit() >= to || event.done();
    boolean elsewhere =
        metric
            .filter(it -> it.pattern().isPresent() || it.from().isPresent())
            .filter(it -> !event.metrics().containsKey(it.name()))
            .isPresent();
    if (last && elsewhere) {
      held = event;
      return;
    }
    boolean recorded = limiter.permits(event.at()) || last;
    if (improves(event)) {
      skippedBest = recorded ? null : event;
    }
    synchronized (this) {
      skipped = recorded ? null : event;
    }
    if (recorded) {
      if (skippedBest != null) {
        events.accept(skippedBest);
        skippedBest = null;
      }
      events.accept(event);
    }
  }

  /** Returns whether the best value counts, and this is a better one than all before. */
  private boolean improves(EngineEvent.Reported event) {
    if (metric.filter(Metric::takesBest).isEmpty()) {
      return false;
    }
    boolean isNew = event.unit() > from && event.unit() <= to;
    Optional<BestReport> better =
        isNew
            ? BestReport.improving(best, metric.get(), event.unit(), event.metrics())
            : Optional.empty();
    if (better.isPresent()) {
      best = better;
    }
    return better.isPresent();
  }

  /** Returns the unit of the best value, if that is the one that counts. */
  public OptionalInt bestUnit() {
    return best.map(report -> OptionalInt.of(report.unit())).orElseGet(OptionalInt::empty);
  }

  /** Returns the units of the checkpoints that must not be deleted. */
  public Set<Integer> neededCheckpoints() {
    Set<Integer> all = new HashSet<>(needed);
    bestUnit().ifPresent(all::add);
    return all;
  }

  /** Returns the last report, if it was skipped. */
  public synchronized Optional<EngineEvent.Reported> skipped() {
    return Optional.ofNullable(skipped);
  }

  /** Returns whether the attempt has reported {@code unit} or a later one. */
  public boolean hasReached(int unit) {
    return highest >= unit;
  }

  /** Returns the unit at which the trial reported that it is done; the maximum if it has not. */
  public int doneAt() {
    return doneAt;
  }

  /** Returns what was found instead of the report for the last unit; empty if that was found. */
  public Optional<String> foundInstead() {
    if (hasReached(to) || doneAt < Integer.MAX_VALUE) {
      return Optional.empty();
    }
    String where = channelUsed ? "in the file of ELASTUNE_REPORTS" : "on its standard output";
    int reports = count.get();
    String found =
        reports == 0 ? "no report " + where : count(reports) + ", the last for unit " + last;
    String unreadable = problem.isEmpty() ? "" : FailureCause.CANNOT_BE_READ + problem;
    String errors = onErrors ? "; those on standard error do not count" : "";
    String elsewhere = missing.isEmpty() ? "" : "; " + mask.mask(missing);
    return Optional.of("found " + found + unreadable + errors + elsewhere);
  }

  private static String count(int reports) {
    return reports == 1 ? "1 report" : reports + " reports";
  }

  /** Returns the number of faults that were counted but not reported. */
  public synchronized int unreportedFaults() {
    return Math.max(0, faults - MAX_REPORTED_FAULTS);
  }

  /** Reports text that is no valid report. The description quotes its beginning. */
  private void invalid(String text, boolean cut, Instant at) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    String masked = new String(mask.mask(bytes, bytes.length, false), StandardCharsets.UTF_8);
    ReportParser.Parsed unmasked = ReportParser.parseStart(text);
    ReportLine parsed =
        ReportParser.parse(masked)
            .filter(ReportLine.InvalidReport.class::isInstance)
            .orElse(unmasked.line());
    if (parsed instanceof ReportLine.InvalidReport invalid) {
      boolean tooLong = cut && unmasked.unfinished();
      String found = tooLong ? TOO_LONG + MessageText.singleLine(masked) : invalid.problem();
      problem = mask.mask(found);
      fault("a report cannot be read: " + problem, at);
    }
  }

  private void fault(String message, Instant at) {
    synchronized (this) {
      faults++;
      if (faults > MAX_REPORTED_FAULTS) {
        return;
      }
    }
    events.accept(new EngineEvent.Faulted(attempt, message, at));
  }

  /** Whether a line of standard output may contain a report. */
  public static boolean mayContainReport(byte[] line, int length) {
    return startsWith(ReportLine.PREFIX, line, 0, length)
        || indexOf(ReportLine.START, line, length) >= 0;
  }

  private static int indexOf(String text, byte[] line, int length) {
    for (int i = 0; i <= length - text.length(); i++) {
      if (line[i] == text.charAt(0) && startsWith(text, line, i, length)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean startsWith(String text, byte[] line, int from, int length) {
    if (length - from < text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (line[from + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
