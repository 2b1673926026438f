package io.elastune.executor.decision.model;

import io.elastune.executor.engine.EngineEvent;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why an attempt failed, as its message says: the exit code, and the last lines of its output.
 *
 * @param kind the kind of the cause
 * @param text what distinguishes it from others of its kind, such as the message of an exception or
 *     the name of a missing package; it may be empty
 */
public record FailureCause(Kind kind, String text) {
  /** The kinds of causes, from the most to the least specific. */
  public enum Kind {
    DISK_FULL("disk full"),
    OUT_OF_MEMORY("out of memory"),
    MISSING_MODULE("missing module"),
    MISSING_PROGRAM("missing program"),
    DIVERGED("diverged"),
    TIME_OUT("time-out"),
    /** An uncaught exception, or another line in which the program names its error. */
    EXCEPTION("exception"),
    SIGNAL("signal"),
    NO_REPORT("no report"),
    /** The program made no report that could be read, and at least one that could not. */
    UNREADABLE_REPORT("unreadable report"),
    TORN_CHECKPOINT("torn checkpoint"),
    NOT_STARTED("not started"),
    RETRIES("too many retries"),
    EXIT_CODE("exit code");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** Returns its name on screens and in JSON output; a contract. */
    public String label() {
      return label;
    }
  }

  /** The reason why a report of an attempt cannot be read follows this. */
  public static final String CANNOT_BE_READ = "; one cannot be read: ";

  /** That reason begins with it for a report whose line is longer than the log keeps. */
  public static final String TOO_LONG = "it is longer than the limit";

  /** What follows that reason: the beginning of the report. */
  private static final Pattern BEGINNING_OF_REPORT = Pattern.compile(": (?:ELASTUNE |\\{)");

  /** Some of the output of an attempt follows this. */
  private static final String OUTPUT_FOLLOWS = "; last lines:";

  private static final Pattern MEMORY =
      Pattern.compile(
          "OutOfMemoryError|MemoryError\\b|std::bad_alloc|CU(?:BLAS|DNN)_STATUS_ALLOC_FAILED"
              + "|CUDA_ERROR_OUT_OF_MEMORY|memory allocation of [0-9]+ bytes failed"
              + "|(?i:\\bbad allocation\\b|\\bnot enough memory\\b|\\binsufficient memory\\b)"
              + "|(?i:\\bout of memory\\b|\\bout-of-memory\\b|\\bcannot allocate memory\\b"
              + "|can't allocate memory|\\bunable to allocate\\b.*\\b[KMGT]i?B\\b"
              + "|\\bOOM when allocating\\b|RESOURCE_EXHAUSTED: .*\\balloc|\\boom-kill"
              + "|cannot allocate vector of size|is killed by signal: killed)");

  private static final Pattern MODULE =
      Pattern.compile(
          "No module named '?([\\w.-]+)'?|there is no package called .(\\S+?).$"
              + "|Cannot find (?:module|package) '([^']+)'"
              + "|Package (\\S+) not found in current path"
              + "|cannot load such file -- (\\S+)"
              + "|Can't locate (\\S+?)(?:\\.pm)? in @INC");

  /** The languages of the groups of {@link #MODULE}. */
  private static final List<String> LANGUAGES =
      List.of("", " (R)", " (Node.js)", " (Julia)", " (Ruby)", " (Perl)");

  /** What follows the name of a missing module that is none of Python: its language. */
  private static final Pattern LANGUAGE = Pattern.compile("(.*) \\(([^()]+)\\)");

  private static final Pattern PROGRAM =
      Pattern.compile("(?:^|[\\s:'])([^\\s:']+)'?: (?:command not found|not found)$");

  /** Exceptions of Python (also of modules), Java, Node and others: a name, perhaps a message. */
  private static final Pattern EXCEPTION =
      Pattern.compile(
          "^(?:\\[\\w+\\]:? ?)*(?:Exception in thread \"[^\"]*\" |Uncaught |Error: "
              + "|terminate called after throwing an instance of )?'?"
              + "([A-Za-z_][\\w.$:]*(?:Error|Exception|Interrupt|Exit|Fault|Warning|bad_alloc))'?"
              + "(?::.*)?$");

  private static final Pattern DIVERGED =
      Pattern.compile(
          "FloatingPointError|(?i:\\bdiverge[ds]?\\b|\\bdiverging\\b|\\bdivergence\\b"
              + "|\\bnon-?finite\\b|\\b(?:loss|gradients?|metrics?|weights?|input|outputs?|logits"
              + "|values?|predictions?)\\b.*\\b(?:nan|infinity|inf)\\b|\\b(?:nan|inf)\\b.*\\bloss\\b)");

  /**
   * What differs between equal failures: numbers, also those of addresses and in scientific form.
   */
  private static final Pattern NUMBER =
      Pattern.compile("0x[0-9a-fA-F]+|[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?");

  /** Separates a missing module from the interpreter that lacks it. */
  public static final String IN = " in ";

  /** What follows the exit code of a program with a missing module: its interpreter. */
  public static final String PYTHON = "; this Python: ";

  /** The start of the message for a trial whose metric is not a finite number. */
  public static final String REPORTED_NO_NUMBER = "reported no finite value: ";

  /** How the messages of failed attempts begin, among those of all faults. */
  private static final Pattern FAILURE =
      Pattern.compile(
          "exit \\d|exited 0 |killed by |could not start|left a torn |requested a retry "
              + "|stopped as hung|reported no finite value|"
              + EngineEvent.Ended.DISK_FULL);

  /** A fault after which the trial continues from an older checkpoint. */
  private static final String CONTINUES = "; it continues from unit ";

  /** The text of a cause that only the signal suggests begins with it. */
  private static final String PERHAPS = "perhaps, ";

  private static final Pattern AMOUNT = Pattern.compile("[0-9] GB");

  /** The share of the memory that a trial must have used to be the one that exhausted it. */
  private static final double LEAST_SHARE = 0.5;

  private static final Pattern EXIT = Pattern.compile("exit (\\d+)");
  private static final int FIRST_SIGNAL = 128;
  private static final int COMMAND_NOT_FOUND = 127;
  private static final int MOST_LETTERS = 400;

  /** Returns whether a line of output names an uncaught exception. */
  public static boolean isException(String line) {
    Matcher exception = EXCEPTION.matcher(line);
    return exception.matches()
        && !exception.group(1).endsWith("Warning")
        && !isOfLauncher(exception.group(1));
  }

  /** Returns whether a program raises an exception because one that it has started failed. */
  private static boolean isOfLauncher(String name) {
    return name.endsWith("ChildFailedError") || name.endsWith("CalledProcessError");
  }

  /** Returns whether the message of a fault is that of a failed attempt. */
  public static boolean isFailure(String message) {
    return !message.contains(CONTINUES)
        && (FAILURE.matcher(message).lookingAt() || message.contains(OUTPUT_FOLLOWS));
  }

  /** Returns the cause of a failed attempt from the message of its failure. */
  public static FailureCause of(String message) {
    List<String> lines = message.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
    String first = lines.isEmpty() ? "" : lines.get(0);
    int introduction = first.indexOf(OUTPUT_FOLLOWS);
    String event = introduction < 0 ? first : first.substring(0, introduction);
    List<String> output = lines.size() > 1 ? lines.subList(1, lines.size()) : List.of();
    if (event.startsWith(EngineEvent.Ended.DISK_FULL)) {
      return new FailureCause(Kind.DISK_FULL, "");
    }
    if (event.startsWith(REPORTED_NO_NUMBER)) {
      return new FailureCause(Kind.DIVERGED, event.substring(REPORTED_NO_NUMBER.length()));
    }
    if (event.startsWith("stopped as hung")) {
      return new FailureCause(Kind.TIME_OUT, "");
    }
    if (event.startsWith("killed by SIGKILL") && event.contains("out of memory")) {
      String used = MemoryNeed.of(event);
      return event.contains("perhaps")
          ? new FailureCause(
              Kind.OUT_OF_MEMORY, PERHAPS + (used.isEmpty() ? "killed by SIGKILL" : used))
          : new FailureCause(Kind.OUT_OF_MEMORY, used);
    }
    if (event.startsWith("left a torn checkpoint")) {
      return new FailureCause(Kind.TORN_CHECKPOINT, "");
    }
    if (event.startsWith("requested a retry")) {
      return new FailureCause(Kind.RETRIES, "");
    }
    return named(event, output)
        .map(cause -> cause.withAmount(MemoryNeed.of(event)))
        .map(cause -> cause.withPython(event))
        .orElseGet(() -> unnamed(event, output));
  }

  /** Returns it with the interpreter that lacks a module, if the engine has found it. */
  private FailureCause withPython(String event) {
    int at = event.indexOf(PYTHON);
    return kind == Kind.MISSING_MODULE && language().isEmpty() && at >= 0
        ? new FailureCause(kind, text + IN + event.substring(at + PYTHON.length()))
        : this;
  }

  /** Returns it with a measured amount of memory, if the program named none. */
  private FailureCause withAmount(String measured) {
    return kind == Kind.OUT_OF_MEMORY && text.isEmpty() ? new FailureCause(kind, measured) : this;
  }

  /** Returns the cause that the program names in its output. */
  private static Optional<FailureCause> named(String event, List<String> output) {
    for (int i = output.size() - 1; i >= 0; i--) {
      String line = output.get(i);
      Matcher module = MODULE.matcher(line);
      if (module.find()) {
        return Optional.of(new FailureCause(Kind.MISSING_MODULE, module(module)));
      }
      Matcher exception = EXCEPTION.matcher(line);
      boolean isException = exception.matches();
      if (isException || i == output.size() - 1) {
        Optional<FailureCause> cause = ofError(line);
        if (cause.isPresent()) {
          return cause;
        }
      }
      if (isException(line)
          || (isException
              && isOfLauncher(exception.group(1))
              && output.stream().noneMatch(FailureCause::isException))) {
        return Optional.of(new FailureCause(Kind.EXCEPTION, cut(line)));
      }
    }
    return output.stream()
        .filter(line -> MEMORY.matcher(line).find())
        .findFirst()
        .map(line -> new FailureCause(Kind.OUT_OF_MEMORY, MemoryNeed.of(line)))
        .or(() -> missingProgram(event, output));
  }

  private static Optional<FailureCause> ofError(String line) {
    if (MEMORY.matcher(line).find()) {
      return Optional.of(new FailureCause(Kind.OUT_OF_MEMORY, MemoryNeed.of(line)));
    }
    return DIVERGED.matcher(line).find()
        ? Optional.of(new FailureCause(Kind.DIVERGED, cut(line)))
        : Optional.empty();
  }

  private static Optional<FailureCause> missingProgram(String event, List<String> output) {
    if (exitCode(event) != COMMAND_NOT_FOUND) {
      return Optional.empty();
    }
    return output.stream()
        .map(PROGRAM::matcher)
        .filter(Matcher::find)
        .map(found -> new FailureCause(Kind.MISSING_PROGRAM, group(found)))
        .findFirst();
  }

  /** Returns whether memory was exhausted, by this trial or by other programs. */
  public boolean isOutOfMemory() {
    return kind == Kind.OUT_OF_MEMORY;
  }

  /** Returns whether the text has an amount of memory. */
  public boolean hasAmount() {
    return AMOUNT.matcher(text).find();
  }

  /**
   * Whether the same configuration would exhaust the memory of the same GPU again: not if the cause
   * is uncertain, or if others used more of the memory than the trial.
   */
  public boolean exhaustsMemory() {
    return kind == Kind.OUT_OF_MEMORY
        && !text.startsWith(PERHAPS)
        && MemoryNeed.share(text) >= LEAST_SHARE;
  }

  private static FailureCause unnamed(String event, List<String> output) {
    String last = output.isEmpty() ? "" : ": " + cut(output.get(output.size() - 1));
    if (event.startsWith("exited 0 without the report")) {
      int reason = event.indexOf(CANNOT_BE_READ);
      return reason < 0
          ? new FailureCause(Kind.NO_REPORT, "")
          : new FailureCause(
              Kind.UNREADABLE_REPORT, problem(event.substring(reason + CANNOT_BE_READ.length())));
    }
    if (event.startsWith("could not start")) {
      return new FailureCause(Kind.NOT_STARTED, cut(event));
    }
    int code = exitCode(event);
    if (code > FIRST_SIGNAL) {
      return new FailureCause(Kind.SIGNAL, Integer.toString(code - FIRST_SIGNAL));
    }
    return new FailureCause(Kind.EXIT_CODE, code > 0 ? code + last : cut(event));
  }

  /** Returns what is wrong with a report, without the report. */
  private static String problem(String found) {
    Matcher report = BEGINNING_OF_REPORT.matcher(found);
    return cut(report.find() ? found.substring(0, report.start()) : found);
  }

  private static int exitCode(String event) {
    Matcher exit = EXIT.matcher(event);
    return exit.find() && exit.group(1).length() < 4 ? Integer.parseInt(exit.group(1)) : 0;
  }

  /** Returns the name of a missing module, with its language unless that is Python. */
  private static String module(Matcher found) {
    String language = "";
    for (int group = 1; group <= found.groupCount(); group++) {
      language = found.group(group) != null ? LANGUAGES.get(group - 1) : language;
    }
    return group(found) + language;
  }

  /** Returns the language of a missing module; empty for one of Python. */
  public Optional<String> language() {
    Matcher language = LANGUAGE.matcher(text);
    return kind == Kind.MISSING_MODULE && language.matches()
        ? Optional.of(language.group(2))
        : Optional.empty();
  }

  private static String group(Matcher matcher) {
    for (int i = 1; i <= matcher.groupCount(); i++) {
      if (matcher.group(i) != null) {
        return matcher.group(i);
      }
    }
    return "";
  }

  private static String cut(String line) {
    return line.length() <= MOST_LETTERS ? line : line.substring(0, MOST_LETTERS) + " …";
  }

  /** Returns what is equal for equal failures of different configurations. */
  public String key() {
    return switch (kind) {
      case OUT_OF_MEMORY, DIVERGED -> kind.label();
      case MISSING_MODULE, MISSING_PROGRAM, SIGNAL -> kind.label() + ": " + text;
      default -> kind.label() + ": " + NUMBER.matcher(text).replaceAll("#");
    };
  }
}
