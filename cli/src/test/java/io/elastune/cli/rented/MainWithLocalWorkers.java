package io.elastune.cli.rented;

import io.elastune.executor.engine.EngineProvider;
import java.io.IOException;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;

/**
 * Runs another main class with {@link LocalWorkersEngineProvider} before the engines of users: the
 * first one that supports a cloud is used. The launcher's jar must be the first part of the class
 * path, because its class-data-sharing archive is valid for no other one.
 */
final class MainWithLocalWorkers {
  private static final String SERVICE = "META-INF/services/" + EngineProvider.class.getName();

  private MainWithLocalWorkers() {}

  /** The first argument is the name of the main class. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    System.setProperty(LocalWorkersEngineProvider.SWITCH, "true");
    Thread.currentThread().setContextClassLoader(new TestsFirst());
    Class.forName(arguments[0])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
  }

  /** Loads the classes of its parent, but finds the engine of the tests first. */
  private static final class TestsFirst extends ClassLoader {
    TestsFirst() {
      super(MainWithLocalWorkers.class.getClassLoader());
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      Enumeration<URL> found = super.getResources(name);
      if (!name.equals(SERVICE)) {
        return found;
      }
      String tests =
          MainWithLocalWorkers.class.getProtectionDomain().getCodeSource().getLocation().toString();
      List<URL> all = Collections.list(found);
      all.sort(Comparator.comparing(url -> !url.toString().contains(tests)));
      return Collections.enumeration(all);
    }
  }
}
