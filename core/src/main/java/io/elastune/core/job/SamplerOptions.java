package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Word;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The sampler that proposes the configurations of new trials (docs/searches.md, "Samplers"). */
@FileSection(title = "search.sampler", doc = "Proposes the configurations of new trials.")
public record SamplerOptions(
    @FileField(
            doc = "`optuna` proposes configurations from the results so far, in a Python process.",
            example = "optuna")
        Type type,
    @FileField(
            doc = "The sampler of Optuna; `gp` and `cmaes` need further Python packages.",
            example = "tpe")
        Sampler sampler,
    @FileField(
            doc = "Results before the first proposal; until then, configurations are random.",
            example = "20")
        @Bounds(least = 0)
        int startup,
    @FileField(
            doc = "Further arguments of the sampler, as Optuna names them.",
            example = "{multivariate: true}")
        Map<String, Object> options,
    @FileField(
            doc = "Interpreter on the controller's machine, in which Optuna is installed.",
            example = "/opt/optuna/bin/python")
        String python,
    @FileField(
            doc = "Time after which a proposal is requested once more from a new process.",
            example = "30s")
        Duration timeout,
    @FileField(
            doc =
                "Without a proposal, a trial gets a `random` configuration, or the run stops"
                    + " (`stop`).",
            example = "stop")
        OnError onError) {
  /** Who proposes configurations. */
  public enum Type implements Word {
    /** They are drawn at random. */
    RANDOM,
    /** A study of Optuna in a process of its own. */
    OPTUNA
  }

  /** A sampler of Optuna. */
  public enum Sampler implements Word {
    TPE("tpe"),
    GP("gp"),
    CMA_ES("cmaes"),
    QMC("qmc");

    private final String word;

    Sampler(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  /** What happens if the sampler proposes nothing. */
  public enum OnError implements Word {
    /** The trial gets a random configuration. */
    RANDOM,
    /** The run stops. */
    STOP
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
