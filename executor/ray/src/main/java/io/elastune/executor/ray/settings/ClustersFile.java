package io.elastune.executor.ray.settings;

import io.elastune.core.config.FileParser;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses the Ray section of {@code clouds.yaml}: settings by name of the cluster. */
final class ClustersFile {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9_-]*");
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Codec<String> ADDRESS =
      StringCodecs.matching("HOST:PORT or auto", Pattern.compile("auto|[^:/\\s]+:[0-9]+"));

  private static final Field<ClusterSettings, String> AT =
      Field.withDefault(
          "address",
          ADDRESS,
          ClusterSettings.AUTO,
          ClusterSettings::address,
          "The head's address, or auto for the cluster of the machine on which the bridge runs.",
          "10.0.0.5:6379");
  private static final Field<ClusterSettings, String> VIA =
      Field.optional(
          "via",
          StringCodecs.text(),
          "the bridge runs on this machine",
          settings ->
              settings.via().isEmpty()
                  ? Optional.empty()
                  : Optional.of(String.join(" ", settings.via())),
          "A command that runs its arguments on a node of the cluster.",
          "ssh ana@lab-head");
  private static final Field<ClusterSettings, String> PYTHON =
      Field.optional(
          "python",
          StringCodecs.text(),
          "python3 on the PATH",
          ClusterSettings::python,
          "The Python interpreter with the cluster's version of Ray.",
          "/opt/ray/bin/python");
  private static final Field<ClusterSettings, String> TOKEN =
      Field.optional(
          "token_env",
          StringCodecs.matching("an environment variable", VARIABLE),
          "no token",
          ClusterSettings::tokenVariable,
          "The environment variable with the cluster's token.",
          "LAB_RAY_TOKEN");

  private static final Section<ClusterSettings> CLUSTER =
      Section.of("", "A Ray cluster.", List.of(AT, VIA, PYTHON, TOKEN), ClustersFile::settings);

  private static final Field<Map<String, ClusterSettings>, Map<String, ClusterSettings>> RAY =
      Field.withDefault(
          "ray",
          MapCodecs.of(NAME, "a name of letters and digits", CLUSTER),
          Map.of(),
          clusters -> clusters,
          "Ray clusters by name.",
          "");

  /** Sections of other providers are ignored. */
  private static final Section<Map<String, ClusterSettings>> FILE =
      Section.<Map<String, ClusterSettings>>of(
              "",
              "Settings of the cloud accounts.",
              List.of(RAY),
              fieldValues -> fieldValues.get(RAY))
          .allowUnknownFields();

  private ClustersFile() {}

  private static ClusterSettings settings(FieldValues values) {
    return new ClusterSettings(
        values.get(AT),
        values.find(VIA).map(via -> List.of(via.strip().split("\\s+"))).orElse(List.of()),
        values.find(PYTHON),
        values.find(TOKEN));
  }

  /** Returns the settings by name, or all problems of the section. */
  static ParseResult<Map<String, ClusterSettings>> parse(String fileName, String text) {
    return FileParser.parse(fileName, text, FILE);
  }
}
