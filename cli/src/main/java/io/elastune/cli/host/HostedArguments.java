package io.elastune.cli.host;

import io.elastune.cli.command.RunCommand;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.core.config.Overrides;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * A parsed command line in which files of this machine are replaced by those on the controller
 * machine. Files that the command reads are sent; files that it writes are copied back.
 */
final class HostedArguments {
  private static final Set<String> WITH_JOB =
      Set.of("plan", "estimate", "simulate", "rehearse", "run", "check", "profile", "schedule add");

  private static final Set<String> ONLY_LOCAL =
      Set.of("init", "completion", "controller", "remote");

  private static final Set<String> STARTING = Set.of("run", "resume");

  /** Commands that only read a run, with the option by which they do so until it ends. */
  private static final Map<String, String> WATCHING =
      Map.of("logs", "--follow", "status", "--watch", "report", "--watch");

  private static final Set<String> READ = Set.of("--profile", "--offers", "--clouds");
  private static final String FILE = "FILE";
  private static final String FOLLOW = "--follow";
  private static final String ATTACH = "attach";

  private final CliEnvironment cliEnvironment;
  private final List<String> names = new ArrayList<>();
  private final Map<String, Path> sent = new LinkedHashMap<>();
  private final Map<String, Path> written = new LinkedHashMap<>();
  private final ParseResult leaf;

  /** The options of {@code run} that a schedule contains. */
  private final Optional<ParseResult> scheduled;

  private Optional<String> run = Optional.empty();

  HostedArguments(CliEnvironment cliEnvironment, ParseResult root) {
    this.cliEnvironment = cliEnvironment;
    ParseResult next = root;
    while (next.hasSubcommand()) {
      next = next.subcommand();
      names.add(next.commandSpec().name());
    }
    leaf = next;
    if (ONLY_LOCAL.contains(names.get(0))) {
      throw CommandFailure.invalid(
          HostOptions.HOST,
          "'" + command() + "' works only on this machine",
          "omit " + HostOptions.HOST);
    }
    scheduled = isScheduled() ? Optional.of(scheduledOptions()) : Optional.empty();
    leaf.matchedArgs().forEach(this::collect);
    scheduled.ifPresent(options -> options.matchedOptionsSet().forEach(this::collect));
  }

  /** Returns the positional parameters, as given. */
  List<String> positionals() {
    return leaf.matchedPositionals().stream()
        .flatMap(positional -> positional.originalStringValues().stream())
        .toList();
  }

  private ParseResult scheduledOptions() {
    try {
      return new CommandLine(new RunCommand()).parseArgs(positionals().toArray(String[]::new));
    } catch (ParameterException e) {
      throw new ParameterException(
          leaf.commandSpec().commandLine(), "run options: " + e.getMessage(), e);
    }
  }

  private void collect(ArgSpec spec) {
    for (String value : spec.originalStringValues()) {
      if (isWritten(spec, value)) {
        written.put(written.size() + "-" + name(value), cliEnvironment.path(value));
      } else if (isSent(spec)) {
        sent.put(sent.size() + "-" + name(value), cliEnvironment.path(value));
      }
    }
  }

  private static String name(String file) {
    return String.valueOf(Path.of(file).getFileName()).replaceAll("[^\\w.-]", "_");
  }

  /** Returns the command, with the subcommand. */
  String command() {
    return String.join(" ", names);
  }

  private static boolean isFile(ArgSpec spec) {
    return spec instanceof OptionSpec && spec.paramLabel().equals(FILE);
  }

  private static boolean isWritten(ArgSpec spec, String value) {
    return isFile(spec)
        && !READ.contains(((OptionSpec) spec).longestName())
        && !value.equals("-"); // standard output
  }

  /** Returns whether a value is a file to send besides the job. */
  private boolean isSent(ArgSpec spec) {
    boolean option = isFile(spec) && READ.contains(((OptionSpec) spec).longestName());
    return option || (isParameter(spec) && isPlan(spec));
  }

  private boolean isParameter(ArgSpec spec) {
    return spec instanceof PositionalParamSpec && WITH_JOB.contains(command());
  }

  private boolean isJobOrPlan(ArgSpec spec) {
    return isParameter(spec) && ((PositionalParamSpec) spec).index().min() == 0;
  }

  private static boolean isPlan(ArgSpec spec) {
    String value = spec.originalStringValues().isEmpty() ? "" : spec.originalStringValues().get(0);
    return spec.paramLabel().equals("plan.json")
        || (spec.paramLabel().contains("plan.json") && value.endsWith(".json"));
  }

  /** Returns the job file on this machine. */
  Optional<Path> job() {
    return leaf.matchedArgs().stream()
        .filter(spec -> isJobOrPlan(spec) && !isPlan(spec))
        .flatMap(spec -> spec.originalStringValues().stream())
        .findFirst()
        .map(cliEnvironment::path);
  }

  /** Returns the other files to send, by their names on the controller machine. */
  Map<String, Path> sent() {
    return sent;
  }

  /** Returns the files to write here, by their names on the controller machine. */
  Map<String, Path> written() {
    return written;
  }

  /** Returns whether an option is given. */
  boolean has(String option) {
    return leaf.hasMatchedOption(option);
  }

  /** Returns whether the command executes a run until it ends, or shows it as its command does. */
  boolean follows() {
    return command().equals(ATTACH) || startsAndFollows();
  }

  /** Returns whether the command starts a run and follows it. */
  boolean startsAndFollows() {
    return STARTING.contains(command()) && (has(FOLLOW) || !has("--detach"));
  }

  /** Returns whether the command only reads a run until it ends. */
  boolean watches() {
    return WATCHING.containsKey(command()) && has(WATCHING.get(command()));
  }

  /** Returns whether the command continues on the controller machine if the connection is lost. */
  boolean continuesAlone() {
    return command().equals("schedule start");
  }

  /** Returns whether the controller machine marks positions in the output of the command. */
  boolean marksPositions() {
    return watches() && command().equals("logs");
  }

  /** Returns whether the controller machine sends files while the command writes them. */
  boolean sendsChangedFiles() {
    return watches() && !written.isEmpty();
  }

  /**
   * Returns whether the job's files are those of a schedule, which later commands do not replace.
   */
  boolean isScheduled() {
    return command().equals("schedule add");
  }

  /** Returns the run to show, as given; empty if the command does not show one until it ends. */
  Optional<String> shownRun() {
    return watches() || command().equals(ATTACH)
        ? Optional.of(positionals().stream().findFirst().orElse(""))
        : Optional.empty();
  }

  /** Sets the run to show, so that a later connection shows the same one. */
  void setShownRun(String name) {
    run = Optional.of(name);
  }

  /**
   * Returns the command line for the controller machine.
   *
   * @param job the job file there
   * @param sentTo the folder of the other files there
   * @param writtenTo the folder for the files that it writes
   */
  List<String> words(String job, String sentTo, String writtenTo) {
    Iterator<String> sentFiles = sent.keySet().stream().map(f -> sentTo + "/" + f).iterator();
    Iterator<String> writtenFiles =
        written.keySet().stream().map(f -> writtenTo + "/" + f).iterator();
    List<String> words = new ArrayList<>(names);
    List<String> positionals = new ArrayList<>();
    for (ArgSpec spec : leaf.matchedArgs()) {
      for (String value : values(spec)) {
        if (spec instanceof OptionSpec option) {
          words.add(word(option, value, sentFiles, writtenFiles));
        } else if (isSent(spec)) {
          positionals.add(sentFiles.next());
        } else if (isJobOrPlan(spec)) {
          positionals.add(job);
        } else if (!isScheduled()) {
          positionals.add(value);
        }
      }
    }
    if (startsAndFollows() && !has(FOLLOW)) {
      words.add(FOLLOW);
    }
    words.addAll(run.map(List::of).orElse(positionals));
    scheduled.ifPresent(
        options -> {
          words.add("--");
          for (OptionSpec option : options.matchedOptionsSet()) {
            values(option)
                .forEach(value -> words.add(word(option, value, sentFiles, writtenFiles)));
          }
        });
    return words;
  }

  private String word(
      OptionSpec option, String value, Iterator<String> sentFiles, Iterator<String> writtenFiles) {
    if (option.arity().max() == 0) {
      return option.longestName();
    }
    String replaced =
        isWritten(option, value) ? writtenFiles.next() : isSent(option) ? sentFiles.next() : value;
    return option.longestName() + "=" + replaced;
  }

  private static List<String> values(ArgSpec spec) {
    boolean flag = spec instanceof OptionSpec option && option.arity().max() == 0;
    return flag ? List.of("") : spec.originalStringValues();
  }

  /** Returns the overrides of the job that the command line contains, without files. */
  Overrides overrides() {
    return new OverrideArguments(scheduled.orElse(leaf), command()).overrides();
  }
}
