package io.elastune.cli.host;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.Overrides.ResourceOverrides;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * A parsed command line in which files of this machine are replaced by those on the controller
 * machine. Files that the command reads are sent; files that it writes are copied back.
 */
final class HostedArguments {
  private static final Set<String> WITH_JOB =
      Set.of("plan", "estimate", "simulate", "rehearse", "run", "check", "profile");

  private static final Set<String> ONLY_LOCAL =
      Set.of("init", "completion", "controller", "remote");

  private static final Set<String> STARTING = Set.of("run", "resume");
  private static final Set<String> READ = Set.of("--profile", "--offers", "--clouds");
  private static final String FILE = "FILE";
  private static final String FOLLOW = "--follow";

  private final CliEnvironment cliEnvironment;
  private final List<String> names = new ArrayList<>();
  private final List<ArgSpec> specs = new ArrayList<>();
  private final Map<String, Path> sent = new LinkedHashMap<>();
  private final Map<String, Path> written = new LinkedHashMap<>();
  private final ParseResult leaf;

  HostedArguments(CliEnvironment cliEnvironment, ParseResult root) {
    this.cliEnvironment = cliEnvironment;
    ParseResult next = root;
    while (next.hasSubcommand()) {
      next = next.subcommand();
      names.add(next.commandSpec().name());
    }
    leaf = next;
    specs.addAll(leaf.matchedArgs());
    if (ONLY_LOCAL.contains(command())) {
      throw CommandFailure.usage(
          ErrorDetail.of(
              HostOptions.HOST,
              "'" + command() + "' works only on this machine",
              "omit " + HostOptions.HOST));
    }
    for (ArgSpec spec : specs) {
      collect(spec);
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

  /** Returns the command's name. */
  String command() {
    return names.get(0);
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
    return option || (isJobOrPlan(spec) && isPlan(spec));
  }

  private boolean isJobOrPlan(ArgSpec spec) {
    return spec instanceof PositionalParamSpec && WITH_JOB.contains(command());
  }

  private static boolean isPlan(ArgSpec spec) {
    String value = spec.originalStringValues().isEmpty() ? "" : spec.originalStringValues().get(0);
    return spec.paramLabel().equals("plan.json")
        || (spec.paramLabel().contains("plan.json") && value.endsWith(".json"));
  }

  /** Returns the job file on this machine. */
  Optional<Path> job() {
    return specs.stream()
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

  /** Returns whether the command shows a run until it ends. */
  boolean follows() {
    return command().equals("attach") || startsAndFollows();
  }

  /** Returns whether the command starts a run and follows it. */
  boolean startsAndFollows() {
    return STARTING.contains(command()) && (has(FOLLOW) || !has("--detach"));
  }

  /**
   * Returns the command line for the controller machine.
   *
   * @param job the job file there
   * @param sentTo the folder of the other files there
   * @param writtenTo the folder for the files that it writes
   */
  List<String> words(String job, String sentTo, String writtenTo) {
    List<String> words = new ArrayList<>(names);
    List<String> positionals = new ArrayList<>();
    int read = 0;
    int wrote = 0;
    List<String> sentNames = List.copyOf(sent.keySet());
    List<String> writtenNames = List.copyOf(written.keySet());
    for (ArgSpec spec : specs) {
      for (String value : values(spec)) {
        String replaced = value;
        if (isWritten(spec, value)) {
          replaced = writtenTo + "/" + writtenNames.get(wrote++);
        } else if (isSent(spec)) {
          replaced = sentTo + "/" + sentNames.get(read++);
        } else if (isJobOrPlan(spec)) {
          replaced = job;
        }
        if (spec instanceof OptionSpec option) {
          words.add(
              option.arity().max() == 0
                  ? option.longestName()
                  : option.longestName() + "=" + replaced);
        } else {
          positionals.add(replaced);
        }
      }
    }
    if (startsAndFollows() && !has(FOLLOW)) {
      words.add(FOLLOW);
    }
    words.addAll(positionals);
    return words;
  }

  private static List<String> values(ArgSpec spec) {
    boolean flag = spec instanceof OptionSpec option && option.arity().max() == 0;
    return flag ? List.of("") : spec.originalStringValues();
  }

  /** Returns the overrides of the job that the command line contains, without files. */
  Overrides overrides() {
    return new Overrides(
            one("--deadline"),
            one("--budget"),
            one("--confidence"),
            all("--infra"),
            List.of(),
            Optional.empty(),
            one("--seed"))
        .with(
            one("--trials"),
            new ResourceOverrides(
                all("--instance-types"),
                all("--gpu"),
                one("--market"),
                one("--max-instances"),
                one("--wait-for-capacity")))
        .withWarmStart(one("--warm-start"));
  }

  private Optional<String> one(String option) {
    List<String> values = all(option);
    return values.size() == 1 && !command().equals("estimate")
        ? Optional.of(values.get(0))
        : Optional.empty();
  }

  private List<String> all(String option) {
    return has(option) ? leaf.matchedOption(option).stringValues() : List.of();
  }
}
