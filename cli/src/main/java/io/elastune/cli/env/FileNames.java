package io.elastune.cli.env;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Other names of files. With {@code --host}, a command uses temporary files of the controller
 * machine, and its messages name the files of the user's machine that they stand for.
 *
 * @param names the other name of each file
 */
public record FileNames(Map<String, String> names) {
  /** The environment variable with the names, as a JSON object. */
  public static final String VARIABLE = "ELASTUNE_FILE_NAMES";

  public FileNames {
    names = Map.copyOf(names);
  }

  static FileNames parse(Optional<String> json) {
    Map<String, String> names = new LinkedHashMap<>();
    json.ifPresent(
        text ->
            JsonMapper.shared()
                .readTree(text)
                .propertyStream()
                .forEach(name -> names.put(name.getKey(), name.getValue().asString())));
    return new FileNames(names);
  }

  /** Returns the other name of a file; empty if it has none. */
  public Optional<String> of(String file) {
    return names.containsKey(file)
        ? Optional.ofNullable(names.get(file))
        : names.entrySet().stream()
            .flatMap(name -> beside(name.getKey(), name.getValue(), file).stream())
            .findFirst();
  }

  /** Profiles of several GPU models have the model at the end of the name that was given. */
  private static Optional<String> beside(String from, String to, String file) {
    String base = base(from);
    String extension = from.substring(base.length());
    if (!file.startsWith(base + "-") || !file.substring(base.length()).endsWith(extension)) {
      return Optional.empty();
    }
    String added = file.substring(base.length(), file.length() - extension.length());
    return added.contains("/")
        ? Optional.empty()
        : Optional.of(base(to) + added + to.substring(base(to).length()));
  }

  private static String base(String file) {
    int dot = file.lastIndexOf('.');
    return dot > file.lastIndexOf('/') + 1 ? file.substring(0, dot) : file;
  }
}
