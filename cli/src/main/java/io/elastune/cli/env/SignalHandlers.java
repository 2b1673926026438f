package io.elastune.cli.env;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Installs signal handlers, such as those for Ctrl-C and SIGTERM. It uses the JDK's signal classes
 * by reflection, because the compiler warns about direct use and that warning cannot be suppressed.
 */
public final class SignalHandlers {
  private SignalHandlers() {}

  /**
   * Runs {@code action} on its own thread at each signal; never where signals are not supported.
   *
   * @return restores the previous handler
   */
  public static Runnable on(String signal, Runnable action) {
    try {
      Class<?> signalClass = Class.forName("sun.misc.Signal");
      Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              SignalHandlers.class.getClassLoader(),
              new Class<?>[] {handlerClass},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  action.run();
                  return null;
                }
                return method.getName().equals("equals")
                    ? proxy == arguments[0]
                    : method.getName().equals("hashCode") ? (Object) 1 : signal;
              });
      Method handle = signalClass.getMethod("handle", signalClass, handlerClass);
      Object number = signalClass.getConstructor(String.class).newInstance(signal);
      Object before = handle.invoke(null, number, handler);
      return () -> restore(handle, number, before);
    } catch (InvocationTargetException e) {
      return () -> {}; // Not permitted on this JVM or system: the signal keeps its usual effect.
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JDK has no sun.misc.Signal", e);
    }
  }

  /** Delivers a signal to this process, as the operating system does. */
  public static void raise(String signal) {
    try {
      Class<?> signalClass = Class.forName("sun.misc.Signal");
      Object number = signalClass.getConstructor(String.class).newInstance(signal);
      signalClass.getMethod("raise", signalClass).invoke(null, number);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot raise " + signal, e);
    }
  }

  private static void restore(Method handle, Object signal, Object before) {
    try {
      handle.invoke(null, signal, before);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a signal handler cannot be restored", e);
    }
  }
}
