package io.elastune.cli.failure;

import io.elastune.core.config.codec.NearestName;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Converts picocli's exceptions to problems, with a near match where there is one. */
final class UsageErrors {
  /** What picocli puts before a converter's message. The problem's field contains it already. */
  private static final String PREFIX = "^Invalid value for (option|positional parameter)[^:]*: ";

  private UsageErrors() {}

  static List<ErrorDetail> of(ParameterException e) {
    String help = "see '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'";
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      return List.of(unmatched(unmatched.getUnmatched().get(0), e.getCommandLine(), help));
    }
    if (e instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
      return missing.getMissing().stream()
          .map(argument -> ErrorDetail.of(field(argument), "is missing", help))
          .toList();
    }
    String message = Objects.toString(e.getMessage(), "is invalid").replaceFirst(PREFIX, "");
    return List.of(ErrorDetail.of(field(e.getArgSpec()), inSentence(message), help));
  }

  private static ErrorDetail unmatched(String given, CommandLine command, String help) {
    String of = " of '" + command.getCommandSpec().qualifiedName() + "'";
    if (given.split("=", 2)[0].equals("--host")) {
      return ErrorDetail.of(
          "--host", "precedes the command", "elastune --host [USER@]HOST COMMAND");
    }
    if (given.startsWith("-")) {
      List<String> options =
          command.getCommandSpec().options().stream().map(OptionSpec::longestName).toList();
      return ErrorDetail.of(
          given, "is not an option" + of, hint(given.split("=", 2)[0], options, help));
    }
    if (!command.getSubcommands().isEmpty()) {
      List<String> commands = List.copyOf(command.getSubcommands().keySet());
      return ErrorDetail.of(given, "is not a command" + of, hint(given, commands, help));
    }
    return ErrorDetail.of(given, "is an unexpected argument" + of, help);
  }

  private static String hint(String given, List<String> known, String help) {
    String near = NearestName.hint(given, known);
    return near.isEmpty() ? help : near;
  }

  private static String field(@Nullable ArgSpec argument) {
    if (argument == null) {
      return "";
    }
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private static String inSentence(String message) {
    return message.isEmpty()
        ? message
        : Character.toLowerCase(message.charAt(0)) + message.substring(1);
  }
}
