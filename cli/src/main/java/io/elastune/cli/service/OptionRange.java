package io.elastune.cli.service;

import io.elastune.cli.service.CommandOptions.Option;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Chooses the range of a hyperparameter from its value in a command, by the type of the value and
 * the name of the option.
 */
final class OptionRange {
  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,9}");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.\\d*|\\.\\d+|\\d+(?=[eE]))([eE][+-]?\\d{1,2})?");

  /** What options of these names set is no hyperparameter, or decides how long a trial trains. */
  private static final Set<String> FIXED =
      Set.of(
          "args",
          "seed",
          "random_seed",
          "random_state",
          "device",
          "devices",
          "gpu",
          "gpus",
          "num_gpus",
          "n_gpus",
          "workers",
          "num_workers",
          "n_workers",
          "n_jobs",
          "jobs",
          "threads",
          "num_threads",
          "n_threads",
          "port",
          "rank",
          "local_rank",
          "world_size",
          "nodes",
          "num_nodes",
          "epochs",
          "num_epochs",
          "n_epochs",
          "max_epochs",
          "num_train_epochs",
          "epoch",
          "steps",
          "max_steps",
          "num_steps",
          "n_steps",
          "iterations",
          "max_iter",
          "max_iters",
          "iters",
          "num_boost_round",
          "patience",
          "log_interval",
          "log_every",
          "eval_every",
          "save_every",
          "verbose",
          "verbosity",
          "version",
          "fold",
          "folds",
          "n_folds",
          "cv",
          "precision",
          "limit",
          "timeout");

  private static final Pattern LOGARITHMIC =
      Pattern.compile(
          "(^|.*_)(lr|eta|wd|l1|l2|eps|epsilon|alpha|lambda|gamma|c|tol|reg)(_.*|$)"
              + "|.*(learning_rate|decay|regulari[sz]|penalty|temperature|noise|tolerance).*");
  private static final Pattern SHARE =
      Pattern.compile(
          ".*(dropout|momentum|beta|ratio|fraction|subsample|colsample|prob|threshold|smoothing"
              + "|quantile|mixup).*");

  /** Flags of these names decide what is trained. All others stay as the command has them. */
  private static final Pattern TUNED_FLAG =
      Pattern.compile(
          "(use|with|enable|apply|add)_.+"
              + "|(.*_)?(bn|batch_?norm|layer_?norm|bias|fit_intercept|aug|augment|augmentation"
              + "|mixup|cutmix|shuffle|nesterov|amsgrad|residual|bidirectional|ema|balanced"
              + "|weighted|warmup|normali[sz]e|standardi[sz]e|pretrained|bootstrap|dropout)(_.+)?");

  /** Flags with one of these words concern the machine or the output. */
  private static final Pattern FIXED_FLAG =
      Pattern.compile(
          "no_.+|(.*_)?(cuda|gpus?|cpu|mps|tpu|amp|fp16|fp32|bf16|tf32|half|precision|compile"
              + "|distributed|ddp|fsdp|deepspeed|horovod|multiprocessing|workers?|memory|wandb"
              + "|mlflow|tensorboard|tb|comet|neptune|log|logs|logger|logging|save|cache"
              + "|checkpoints?|progress|bar|tqdm|colou?rs?|verbose|debug|auth|token|download|fast"
              + "|hub|profiler?|deterministic|eval|test|config|env|flash)(_.+)?");

  private static final String BOOLEAN = "{type: choice, values: [true, false]}";

  private static final List<List<String>> WORDS =
      List.of(
          List.of("adam", "adamw", "sgd", "rmsprop"),
          List.of("relu", "gelu", "silu", "tanh"),
          List.of("linear", "poly", "rbf", "sigmoid"),
          List.of("gini", "entropy", "log_loss"),
          List.of("gbdt", "dart", "rf"),
          List.of("gbtree", "dart", "gblinear"),
          List.of("cosine", "linear", "constant", "step"));

  private static final int BATCH = 8;

  private OptionRange() {}

  /** Returns the dimension as in a job file; empty for an option that stays as it is. */
  static Optional<String> of(Option option) {
    String name = option.name().toLowerCase(Locale.ROOT).replace('-', '_');
    String last = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1);
    String value = option.value();
    if (FIXED.contains(last)) {
      return Optional.empty();
    }
    if (option.isFlag()) {
      boolean tuned = TUNED_FLAG.matcher(last).matches() && !FIXED_FLAG.matcher(last).matches();
      return tuned ? Optional.of(BOOLEAN) : Optional.empty();
    }
    if (WHOLE.matcher(value).matches()) {
      return Optional.of(whole(Integer.parseInt(value), last));
    }
    if (NUMBER.matcher(value).matches()) {
      return number(Double.parseDouble(value), last);
    }
    return word(value);
  }

  private static String whole(int value, String name) {
    if (LOGARITHMIC.matcher(name).matches() && value > 0) {
      return range("loguniform", value / 10.0, value * 10.0);
    }
    if (value == 0) {
      return LOGARITHMIC.matcher(name).matches()
          ? "{type: choice, values: [0, 0.0001, 0.001, 0.01]}"
          : "{type: int, low: 0, high: 5}";
    }
    if (value < 0) {
      return "{type: int, low: %d, high: %d}".formatted(2L * value, value / 2);
    }
    boolean powerOfTwo = value >= BATCH && Integer.bitCount(value) == 1;
    if (powerOfTwo) {
      return "{type: choice, values: [%d, %d, %d]}".formatted(value / 2, value, 2L * value);
    }
    return value < 50
        ? "{type: int, low: %d, high: %d}".formatted(Math.max(1, value / 2), 2L * value)
        : "{type: int, low: %d, high: %d, log: true}".formatted(value / 4, 4L * value);
  }

  private static Optional<String> number(double value, String name) {
    boolean share = SHARE.matcher(name).matches();
    boolean logarithmic = !share && (LOGARITHMIC.matcher(name).matches() || value < 0.1);
    if (!Double.isFinite(value)) {
      return Optional.empty();
    }
    if (value == 0) {
      return Optional.of(
          LOGARITHMIC.matcher(name).matches() && !share
              ? "{type: choice, values: [0.0, 0.0001, 0.001, 0.01]}"
              : range("uniform", 0, share ? 0.5 : 1));
    }
    if (value < 0) {
      return Optional.of(range("uniform", 2 * value, value / 2));
    }
    if (logarithmic) {
      return Optional.of(range("loguniform", value / 10, value * 10));
    }
    if (value < 1 && value > 0.5) {
      return Optional.of(range("uniform", 1 - 2 * (1 - value), 1 - (1 - value) / 2));
    }
    double high = value == 1 && share ? 1 : value * 2;
    return Optional.of(range("uniform", value / 2, high));
  }

  private static Optional<String> word(String value) {
    if (value.equals("true") || value.equals("false")) {
      return Optional.of(BOOLEAN);
    }
    if (value.equals("True") || value.equals("False")) {
      return Optional.of("{type: choice, values: [\"True\", \"False\"]}");
    }
    return WORDS.stream()
        .filter(words -> words.contains(value))
        .findFirst()
        .map(words -> "{type: choice, values: [" + String.join(", ", words) + "]}");
  }

  private static String range(String type, double low, double high) {
    return "{type: %s, low: %s, high: %s}".formatted(type, text(low), text(high));
  }

  private static String text(double value) {
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(4)).stripTrailingZeros();
    if (rounded.signum() == 0) {
      return "0.0";
    }
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= -4 && exponent < 7) {
      String plain = rounded.toPlainString();
      return plain.contains(".") ? plain : plain + ".0";
    }
    String digits = rounded.unscaledValue().abs().toString();
    String fraction = digits.length() > 1 ? "." + digits.substring(1) : ".0";
    return (value < 0 ? "-" : "") + digits.charAt(0) + fraction + "e" + exponent;
  }
}
