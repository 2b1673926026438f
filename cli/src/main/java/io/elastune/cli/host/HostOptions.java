package io.elastune.cli.host;

import io.elastune.cli.failure.CommandFailure;
import java.util.List;
import java.util.Optional;

/**
 * The options before the command that select a controller machine.
 *
 * @param host the destination, as for ssh
 * @param elastune the program there
 * @param command the command and its arguments
 */
public record HostOptions(String host, String elastune, List<String> command) {
  public static final String HOST = "--host";
  public static final String ELASTUNE = "--remote-elastune";

  public HostOptions {
    command = List.copyOf(command);
  }

  /**
   * Reads the options in front of the command; empty if there is no {@code --host} or no command.
   *
   * @throws CommandFailure if a value is missing or invalid
   */
  public static Optional<HostOptions> parse(List<String> arguments) {
    String host = "";
    String elastune = "elastune";
    int at = 0;
    while (at < arguments.size() && arguments.get(at).startsWith("--")) {
      String[] parts = arguments.get(at).split("=", 2);
      if (!parts[0].equals(HOST) && !parts[0].equals(ELASTUNE)) {
        return Optional.empty();
      }
      if (parts.length == 1 && at + 1 == arguments.size()) {
        return Optional.empty(); // the parser of the command line reports it
      }
      String value = parts.length == 2 ? parts[1] : arguments.get(at + 1);
      at += 3 - parts.length;
      if (parts[0].equals(HOST)) {
        host = checked(value);
      } else {
        elastune = value;
      }
    }
    return host.isEmpty() || at == arguments.size()
        ? Optional.empty()
        : Optional.of(new HostOptions(host, elastune, arguments.subList(at, arguments.size())));
  }

  /** A destination that starts with a hyphen would be an option of ssh. */
  private static String checked(String host) {
    if (host.isBlank() || host.startsWith("-") || host.chars().anyMatch(Character::isWhitespace)) {
      throw CommandFailure.invalid(
          HOST, "'" + host + "' is not an ssh destination", "use [USER@]HOST, e.g. ana@host");
    }
    return host;
  }
}
