package io.elastune.cli.service;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Generates the completion script for fish, which picocli does not support. */
final class FishCompletion {
  private final CommandLine root;
  private final String program;
  private final List<String> lines = new ArrayList<>();

  FishCompletion(CommandLine root) {
    this.root = root;
    this.program = root.getCommandName();
  }

  /** Returns the script: one {@code complete} line for every command, option and choice. */
  String script() {
    lines.add("# fish completion for " + program + ": " + program + " completion fish | source");
    commands(root, "__fish_use_subcommand");
    options(root, "__fish_use_subcommand");
    distinct(root)
        .forEach((name, command) -> inside(command, "__fish_seen_subcommand_from " + name));
    return String.join("\n", lines) + "\n";
  }

  private void inside(CommandLine command, String when) {
    Map<String, CommandLine> below = distinct(command);
    if (!below.isEmpty()) {
      commands(command, when + "; and not __fish_seen_subcommand_from " + words(below));
    }
    options(command, when);
    for (PositionalParamSpec argument : command.getCommandSpec().positionalParameters()) {
      List<String> choices = choices(argument);
      if (!choices.isEmpty()) {
        add(when, "-f -a " + quoted(String.join(" ", choices)));
      }
    }
  }

  private void commands(CommandLine parent, String when) {
    distinct(parent)
        .forEach((name, command) -> add(when, "-f -a " + name + description(header(command))));
  }

  private void options(CommandLine command, String when) {
    command.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .forEach(option -> add(when, option(option)));
  }

  private static String option(OptionSpec option) {
    StringBuilder flags = new StringBuilder();
    for (String name : option.names()) {
      flags.append(name.startsWith("--") ? "-l " : "-s ");
      flags.append(name.replaceFirst("^--?", "")).append(' ');
    }
    if (option.arity().max() > 0) {
      List<String> choices = choices(option);
      flags.append(choices.isEmpty() ? "-r " : "-x -a " + quoted(String.join(" ", choices)) + " ");
    }
    String[] description = option.description();
    return flags.toString().strip() + description(description.length == 0 ? "" : description[0]);
  }

  private static List<String> choices(ArgSpec argument) {
    List<String> choices = new ArrayList<>();
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(choices::add);
    }
    return choices;
  }

  private static Map<String, CommandLine> distinct(CommandLine parent) {
    Map<String, CommandLine> commands = new LinkedHashMap<>();
    parent
        .getSubcommands()
        .values()
        .forEach(command -> commands.put(command.getCommandName(), command));
    return commands;
  }

  private static String words(Map<String, CommandLine> commands) {
    return String.join(" ", commands.keySet());
  }

  private static String header(CommandLine command) {
    String[] header = command.getCommandSpec().usageMessage().header();
    return header.length == 0 ? "" : header[0];
  }

  private void add(String when, String rest) {
    lines.add("complete -c " + program + " -n " + quoted(when) + " " + rest);
  }

  private static String description(String text) {
    return text.isEmpty() ? "" : " -d " + quoted(text.replaceAll("\\$\\{[^}]*\\}", "").strip());
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
