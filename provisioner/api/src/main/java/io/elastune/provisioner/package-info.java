/**
 * The door to any cloud: what a cloud can be asked for, how it may fail, and what it offers. The
 * kinds behind the door are modules of their own, found at run time.
 */
@NullMarked
package io.elastune.provisioner;

import org.jspecify.annotations.NullMarked;
