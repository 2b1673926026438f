package io.elastune.cli.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Handlers for Ctrl-C and for being terminated. The JDK's own classes for that can only be used by
 * reflection: the compiler warns of them, and that warning cannot be suppressed.
 */
final class Signals {
  private Signals() {}

  /**
   * Has {@code action} run, on a thread of its own, at each signal; where there are none, never.
   *
   * @return gives the signal the effect back that it had before
   */
  static Runnable on(String signal, Runnable action) {
    try {
      Class<?> signalClass = Class.forName("sun.misc.Signal");
      Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
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
      return () -> {}; // This JVM or system does not let us: the signal keeps its usual effect.
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JDK has no sun.misc.Signal", e);
    }
  }

  private static void restore(Method handle, Object signal, Object before) {
    try {
      handle.invoke(null, signal, before);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a signal cannot be given its effect back", e);
    }
  }
}
