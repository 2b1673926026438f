package io.elastune.cli.command;

import io.elastune.inputs.FrontierChoice;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option {@code --choice} of the commands that plan. */
final class ChoiceOption {
  @Option(
      names = "--choice",
      order = 2,
      paramLabel = "N|knee",
      converter = ChoiceConverter.class,
      completionCandidates = ChoiceConverter.class,
      description =
          "Use plan N of the time-cost frontier, as listed by 'plan --frontier', or its knee.")
  private Optional<FrontierChoice> choice = Optional.empty();

  /** Returns the requested plan. */
  Optional<FrontierChoice> choice() {
    return choice;
  }

  /** Converts a number, or the word for the knee. */
  static final class ChoiceConverter implements ITypeConverter<FrontierChoice>, Iterable<String> {
    @Override
    public FrontierChoice convert(String given) {
      try {
        return new FrontierChoice(
            given.equals(FrontierChoice.KNEE)
                ? OptionalInt.empty()
                : OptionalInt.of(new PositiveIntConverter().convert(given)));
      } catch (TypeConversionException e) {
        throw new TypeConversionException(
            "must be knee, or the number of a plan of 'elastune plan --frontier', not '"
                + given
                + "'");
      }
    }

    @Override
    public Iterator<String> iterator() {
      return List.of(FrontierChoice.KNEE).iterator();
    }
  }
}
