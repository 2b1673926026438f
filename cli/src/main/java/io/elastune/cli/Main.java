package io.elastune.cli;

import io.elastune.cli.world.World;

/** Entry point of the process. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    World world = World.real();
    int exit = new CommandLineApp(world).run(arguments);
    world.out().flush();
    System.exit(exit);
  }
}
