package io.elastune.cli.text;

import io.elastune.core.ShellWord;
import io.elastune.executor.decision.model.FailureCause;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The cause of failed attempts as text, and what helps against it. */
public final class FailureText {
  private static final String HELPER = "elastune_trial";
  private static final String CALLBACKS = "elastune_callbacks";

  private static final Map<Integer, String> SIGNALS =
      Map.of(
          4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8, "SIGFPE", 9, "SIGKILL", 11, "SIGSEGV", 13,
          "SIGPIPE", 15, "SIGTERM");

  private static final Pattern AMOUNTS = Pattern.compile("([0-9.]+) GB of ([0-9.]+) GB");

  /** If so many trials have room, others have used the memory. */
  private static final int MOST_TRIALS = 16;

  private FailureText() {}

  /** Returns the cause, e.g. {@code missing module: torch}. */
  public static String of(FailureCause cause) {
    return switch (cause.kind()) {
      case EXCEPTION, NOT_STARTED -> cause.text();
      case EXIT_CODE ->
          Character.isDigit(cause.text().isEmpty() ? 'x' : cause.text().charAt(0))
              ? "exit " + cause.text()
              : cause.text();
      case SIGNAL -> signal(cause.text());
      default -> cause.kind().label() + (cause.text().isEmpty() ? "" : ": " + cause.text());
    };
  }

  /** Returns the cause with the label of its kind, as the reason of a decision contains it. */
  static String of(String label, String text) {
    return of(cause(label, text));
  }

  static Optional<String> remedy(String label, String text) {
    return remedy(cause(label, text));
  }

  private static FailureCause cause(String label, String text) {
    return Arrays.stream(FailureCause.Kind.values())
        .filter(kind -> kind.label().equals(label))
        .findFirst()
        .map(kind -> new FailureCause(kind, text))
        .orElseGet(() -> new FailureCause(FailureCause.Kind.EXCEPTION, label + ": " + text));
  }

  /** Returns the likely remedy as a sentence without its end; empty if none is known. */
  public static Optional<String> remedy(FailureCause cause) {
    return switch (cause.kind()) {
      case MISSING_MODULE ->
          Optional.of(
              cause
                  .language()
                  .map(
                      it ->
                          "Install the package for the "
                              + it
                              + " that trial.run starts, or add it to trial.setup")
                  .orElseGet(() -> install(cause.text())));
      case MISSING_PROGRAM ->
          Optional.of(
              "The program "
                  + cause.text()
                  + " is not in the PATH of trial.run. Install it in trial.setup, or correct"
                  + " trial.run");
      case OUT_OF_MEMORY ->
          Optional.of(
              "Narrow the hyperparameters that need memory, such as the batch size, run fewer"
                  + " trials at once, or use GPUs or instances with more memory"
                  + room(cause.text()));
      case DIVERGED -> Optional.of("Lower the learning rates of search.space, or clip gradients");
      case TIME_OUT ->
          Optional.of("Check that the program reports; trial.silence sets the limit for silence");
      case NO_REPORT ->
          Optional.of(
              "Set search.metric.name to the name of the metric in the output, or"
                  + " search.metric.pattern or from to where it is. A program with reports that ends"
                  + " before its last unit reports \"done\": true, in Python with"
                  + " trial.finish(...)");
      case UNREADABLE_REPORT ->
          Optional.of(
              cause.text().startsWith(FailureCause.TOO_LONG)
                  ? "Report fewer metrics, and write long values such as arrays, images or texts to"
                      + " a file of the trial"
                  : "Write each report as one JSON object in one line, as docs/trial-protocol.md"
                      + " describes, or use the helper");
      case TORN_CHECKPOINT ->
          Optional.of("Write checkpoints as docs/trial-protocol.md describes, or use the helper");
      case DISK_FULL -> Optional.of("Free space on this disk, or set trial.checkpoint.store");
      case NOT_STARTED, SIGNAL, EXCEPTION, RETRIES, EXIT_CODE -> Optional.empty();
    };
  }

  /** Returns how many trials have room if this is known, and helps to choose. */
  private static String room(String text) {
    Matcher amounts = AMOUNTS.matcher(text);
    if (!amounts.find()) {
      return "";
    }
    double needed = Double.parseDouble(amounts.group(1));
    double limit = Double.parseDouble(amounts.group(2));
    if (needed > limit) {
      return ": " + amounts.group(1) + " GB do not fit in " + amounts.group(2) + " GB";
    }
    int count = needed > 0 ? (int) (limit / needed) : MOST_TRIALS;
    return count >= MOST_TRIALS
        ? ""
        : String.format(
            Locale.ROOT,
            ": %d of %s GB %s in %s GB",
            count,
            amounts.group(1),
            count == 1 ? "fits" : "fit",
            amounts.group(2));
  }

  /** {@code text}: the module, and the interpreter if it is known. */
  private static String install(String text) {
    int at = text.indexOf(FailureCause.IN);
    String module = at < 0 ? text : text.substring(0, at);
    String python = at < 0 ? "" : text.substring(at + FailureCause.IN.length());
    String top = module.contains(".") ? module.substring(0, module.indexOf('.')) : module;
    String missing =
        "The package "
            + top
            + (python.isEmpty()
                ? " is missing in the Python that trial.run starts. "
                : " is missing in this Python: " + python + ". ");
    String interpreter = python.isEmpty() ? "python" : ShellWord.of(python);
    return top.equals(HELPER) || top.equals(CALLBACKS)
        ? missing
            + "Install it there with '"
            + interpreter
            + " -m pip install PATH/python', where PATH is the folder"
            + " of Elastune, or copy "
            + top
            + ".py next to the script"
        : missing
            + "Install it there, add it to trial.setup, or select another interpreter with"
            + " trial.python";
  }

  private static String signal(String number) {
    String name = number.matches("[0-9]{1,3}") ? SIGNALS.get(Integer.parseInt(number)) : null;
    return "signal " + number + (name == null ? "" : " (" + name + ")");
  }
}
