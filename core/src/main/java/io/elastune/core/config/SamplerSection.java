package io.elastune.core.config;

import io.elastune.core.config.codec.ConfigValueCodecs;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.SamplerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The section {@code search.sampler} of a job file. */
final class SamplerSection {
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,63}");

  private static final Field<SamplerOptions, SamplerOptions.Type> TYPE =
      Field.withDefault(
          "type",
          StringCodecs.word(SamplerOptions.Type.values(), SamplerOptions.Type::word),
          SamplerOptions.DEFAULT.type(),
          SamplerOptions::type,
          "`optuna` proposes configurations from the results so far, in a Python process.",
          "optuna");
  private static final Field<SamplerOptions, SamplerOptions.Sampler> SAMPLER =
      Field.withDefault(
          "sampler",
          StringCodecs.word(SamplerOptions.Sampler.values(), SamplerOptions.Sampler::word),
          SamplerOptions.DEFAULT.sampler(),
          SamplerOptions::sampler,
          "The sampler of Optuna; `gp` and `cmaes` need further Python packages.",
          "tpe");
  private static final Field<SamplerOptions, Integer> STARTUP =
      Field.withDefault(
          "startup",
          NumberCodecs.wholeNumber(0, Integer.MAX_VALUE),
          SamplerOptions.DEFAULT.startup(),
          SamplerOptions::startup,
          "Results before the first proposal; until then, configurations are random.",
          "20");
  private static final Field<SamplerOptions, Map<String, Object>> OPTIONS =
      Field.withDefault(
          "options",
          MapCodecs.of(NAME, "lower-case letters, digits and '_'", ConfigValueCodecs.value()),
          SamplerOptions.DEFAULT.options(),
          SamplerOptions::options,
          "Further arguments of the sampler, as Optuna names them.",
          "{multivariate: true}");
  private static final Field<SamplerOptions, String> PYTHON =
      Field.withDefault(
          "python",
          StringCodecs.text(),
          SamplerOptions.DEFAULT.python(),
          SamplerOptions::python,
          "Interpreter on the controller's machine, in which Optuna is installed.",
          "/opt/optuna/bin/python");
  private static final Field<SamplerOptions, Duration> TIMEOUT =
      Field.withDefault(
          "timeout",
          QuantityCodecs.duration(Duration.ofSeconds(1)),
          SamplerOptions.DEFAULT.timeout(),
          SamplerOptions::timeout,
          "Time after which a proposal is requested once more from a new process.",
          "30s");
  private static final Field<SamplerOptions, SamplerOptions.OnError> ON_ERROR =
      Field.withDefault(
          "on_error",
          StringCodecs.word(SamplerOptions.OnError.values(), SamplerOptions.OnError::word),
          SamplerOptions.DEFAULT.onError(),
          SamplerOptions::onError,
          "Without a proposal, a trial gets a `random` configuration, or the run stops (`stop`).",
          "stop");

  static final Section<SamplerOptions> SECTION =
      Section.of(
          "search.sampler",
          "Proposes the configurations of new trials.",
          List.of(TYPE, SAMPLER, STARTUP, OPTIONS, PYTHON, TIMEOUT, ON_ERROR),
          fieldValues ->
              new SamplerOptions(
                  fieldValues.get(TYPE),
                  fieldValues.get(SAMPLER),
                  fieldValues.get(STARTUP),
                  fieldValues.get(OPTIONS),
                  fieldValues.get(PYTHON),
                  fieldValues.get(TIMEOUT),
                  fieldValues.get(ON_ERROR)));

  private SamplerSection() {}
}
