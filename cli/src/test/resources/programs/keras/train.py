import os

os.environ["KERAS_BACKEND"] = "torch"
import keras
import numpy as np
import elastune_callbacks, elastune_trial

open("starts", "a").write("start\n")
trial = elastune_trial.load()
keras.utils.set_random_seed(0)
x = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
y = x.sum(1)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile(keras.optimizers.Adam(trial.config["lr"]), loss="mse")
model.fit(
    x, y, batch_size=16, shuffle=False, validation_data=(x, y), initial_epoch=trial.from_, epochs=2,
    callbacks=[elastune_callbacks.keras_callback(trial)],
)
