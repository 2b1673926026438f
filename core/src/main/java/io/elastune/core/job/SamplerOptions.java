package io.elastune.core.job;

import io.elastune.core.Preconditions;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The sampler that proposes the configurations of new trials (docs/searches.md, "Samplers").
 *
 * @param sampler the sampler of Optuna
 * @param startup random configurations before the first proposal
 * @param options further arguments of the sampler
 * @param python the interpreter, in which Optuna is installed
 * @param timeout after which a proposal is requested once more
 * @param onError what happens if there is no proposal
 */
public record SamplerOptions(
    Type type,
    Sampler sampler,
    int startup,
    Map<String, Object> options,
    String python,
    Duration timeout,
    OnError onError) {
  /** Who proposes configurations. */
  public enum Type {
    /** They are drawn at random. */
    RANDOM("random"),
    /** A study of Optuna in a process of its own. */
    OPTUNA("optuna");

    private final String word;

    Type(String word) {
      this.word = word;
    }

    /** Returns the name used in files. */
    public String word() {
      return word;
    }
  }

  /** A sampler of Optuna. */
  public enum Sampler {
    TPE("tpe"),
    GP("gp"),
    CMA_ES("cmaes"),
    QMC("qmc");

    private final String word;

    Sampler(String word) {
      this.word = word;
    }

    /** Returns the name used in files and by the bridge. */
    public String word() {
      return word;
    }
  }

  /** What happens if the sampler proposes nothing. */
  public enum OnError {
    /** The trial gets a random configuration. */
    RANDOM("random"),
    /** The run stops. */
    STOP("stop");

    private final String word;

    OnError(String word) {
      this.word = word;
    }

    /** Returns the name used in files. */
    public String word() {
      return word;
    }
  }

  /** The sampler of a job file that names none. */
  public static final SamplerOptions DEFAULT =
      new SamplerOptions(
          Type.RANDOM,
          Sampler.TPE,
          10,
          Map.of(),
          "python3",
          Duration.ofSeconds(10),
          OnError.RANDOM);

  public SamplerOptions {
    Preconditions.atLeast("startup", 0, startup);
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }
}
