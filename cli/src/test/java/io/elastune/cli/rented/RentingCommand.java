package io.elastune.cli.rented;

import io.elastune.cli.Main;
import io.elastune.cli.testing.Ended;
import io.elastune.cli.testing.Started;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts commands in processes of their own, with the variables set by which clouds are found.
 *
 * @param folder the folder that commands are started in
 * @param home {@code ELASTUNE_HOME}
 * @param variables where the cloud is, and who asks
 * @param flags of the JVM
 * @param main what the JVM starts
 */
public record RentingCommand(
    Path folder, Path home, Map<String, String> variables, List<String> flags, Class<?> main) {
  /** Commands without settings, and with a home that need not be there. */
  public RentingCommand(Path folder, Path home, Map<String, String> variables) {
    this(folder, home, variables, List.of(), Main.class);
  }

  /** With the account set up in a new home below {@code folder}. */
  public static RentingCommand in(Path folder, String settings, Map<String, String> variables)
      throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.writeString(home.resolve("clouds.yaml"), settings);
    return new RentingCommand(folder, home, variables);
  }

  /** Commands of somebody else, whose home is empty. */
  public RentingCommand elsewhere() throws IOException {
    return new RentingCommand(
        folder, Files.createDirectory(folder.resolve("elsewhere")), variables, flags, main);
  }

  public RentingCommand with(String flag) {
    return new RentingCommand(folder, home, variables, List.of(flag), main);
  }

  /** The same commands in processes that end only when nothing keeps them any more. */
  public RentingCommand unforced() {
    return new RentingCommand(folder, home, variables, flags, WithoutExit.class);
  }

  public Started start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-D" + NearEngineProvider.SWITCH + "=true",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(flags);
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    Map<String, String> surroundings = new HashMap<>(variables);
    surroundings.put("ELASTUNE_HOME", home.toString());
    builder.environment().putAll(surroundings);
    Process process = builder.start();
    process.getOutputStream().close();
    return new Started(process, out, err);
  }

  public Ended run(String... arguments) throws IOException, InterruptedException {
    return start(arguments).end();
  }
}
