/** The engine interface: how the workers of trials are started and monitored on instances. */
@NullMarked
package io.elastune.executor.engine;

import org.jspecify.annotations.NullMarked;
