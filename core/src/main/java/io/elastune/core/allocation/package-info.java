/**
 * The rules that the simulator and the executor share: which sizes are legal, which slots there
 * are, who gets the next one, and whom to release at which moment (model.md, "Time" and "Money").
 */
@NullMarked
package io.elastune.core.allocation;

import org.jspecify.annotations.NullMarked;
